import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link, NavLink, Outlet, useLocation, useMatches } from 'react-router';
import { queryClient } from '@/api/queryClient';
import type { User } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { groupsFor, isStaff, isWithin } from '@/features/admin/areas';
import { AccessPage } from '@/features/admin/components/AccessPage';
import { EndedSession } from '@/features/admin/components/EndedSession';
import { CommandPalette } from '@/features/admin/components/CommandPalette';
import { moveInList } from '@/features/admin/components/moveInList';
import { useListKeys } from '@/features/admin/components/useListKeys';
import { overviewQuery } from '@/features/admin/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatNumber } from '@/lib/format';
import { paths } from '@/features/admin/paths';
import { chooseTheme } from '@/shared/reader/theme';
import { useTheme } from '@/shared/reader/useTheme';
import { site } from '@/lib/site';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { Wordmark } from '@/ui/Logo';
import { Menu } from '@/ui/Menu';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';
import '@/ui/records/records.css';
import '@/features/admin/admin.css';

export const loader = () => settleBeforeFirstRender(queryClient.query(accountQuery()));

/** Whether the current route is marked as admins only. The server refuses its calls to all others. */
const useAdminsOnly = () => useMatches().some(({ handle }) => (handle as { admin?: boolean } | undefined)?.admin === true);

/** The back office's layout: access check and navigation (identity.role-check). The server authorizes each call again. */
export function Component() {
  const { data, error, refetch } = useQuery(accountQuery());
  const adminsOnly = useAdminsOnly();
  if (data) {
    const { id, role } = data;
    if (isStaff(role) && (role === 'admin' || !adminsOnly)) return <BackOffice member={id} role={role} />;
  }
  return (
    <>
      <Bar />
      {data ? (
        <AccessPage />
      ) : error ? (
        <div className="page">
          <ErrorState error={error} level={1} onRetry={() => void refetch()} />
        </div>
      ) : (
        <div className="page">
          <h1 className="page__title">Back office</h1>
          <div role="status">
            <span className="visually-hidden">Loading</span>
            <SkeletonText width={40} />
          </div>
        </div>
      )}
    </>
  );
}

/** The back office's top bar, instead of the site's header: its name, the tools, and a link back to the site. */
function Bar({ children, menu }: { children?: ReactNode; menu?: ReactNode }) {
  const theme = useTheme();
  return (
    <header className="office__bar">
      <Link className="office__name" to={paths.admin} aria-label={`${site.name}, back office`}>
        <Wordmark name={site.name} />
        <span className="office__what">Back office</span>
      </Link>
      <div className="office__tools">
        {children}
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? 'Light mode' : 'Dark mode'}
          onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        />
        <Link className="office__leave" to={paths.home}>
          View site
        </Link>
        {menu}
      </div>
    </header>
  );
}

function BackOffice({ member, role }: { member: number; role: User['role'] }) {
  const rail = useRef<HTMLElement>(null);
  const page = useRef<HTMLDivElement>(null);
  // In pages that don't handle these keys themselves, and from outside of a table, which does.
  useListKeys((key) => (key === 'j' || key === 'k') && moveInList(page.current, key === 'j' ? 1 : -1), 'frame');
  const { pathname } = useLocation();
  // The navigation is longer than most screens: scrolls it, and only it, so that the current area is visible.
  useEffect(() => {
    const list = rail.current;
    const link = list?.querySelector<HTMLElement>('[aria-current]');
    if (!list || !link) return;
    const { top, bottom } = list.getBoundingClientRect();
    const at = link.getBoundingClientRect();
    if (at.top < top || at.bottom > bottom) list.scrollTop += at.top - top - list.clientHeight / 2;
  }, [pathname]);
  return (
    <>
      <Bar menu={<AreasMenu role={role} />}>
        <CommandPalette role={role} />
      </Bar>
      <div className="page admin">
        <nav className="admin__rail" aria-label="Back office" ref={rail}>
          <Areas role={role} />
        </nav>
        <div className="admin__page" ref={page}>
          <EndedSession member={member} />
          <Outlet />
        </div>
      </div>
    </>
  );
}

/** The navigation as a menu, for narrow screens. */
function AreasMenu({ role }: { role: User['role'] }) {
  return (
    <div className="admin__areas-menu">
      <Menu name="Areas" buttonClass="icon-button" label={<Icon name="menu" />}>
        <nav aria-label="Back office">
          <Areas role={role} />
        </nav>
      </Menu>
    </div>
  );
}

function Areas({ role }: { role: User['role'] }) {
  const { data } = useQuery({ ...overviewQuery(), enabled: role === 'admin' });
  const { pathname } = useLocation();
  return (
    <>
      <NavLink className="admin__link" to={paths.admin} end>
        Overview
      </NavLink>
      {groupsFor(role).map(({ title, areas }) => (
        <div key={title} className="admin__group">
          <p className="admin__group-title">{title}</p>
          <ul className="admin__links">
            {areas.map(({ label, to, count, what }) => (
              <li key={to}>
                <Link className="admin__link" to={to} aria-current={pathname === to ? 'page' : isWithin(pathname, { to }) ? 'true' : undefined}>
                  {label}
                  {data && count && count(data) > 0 ? (
                    <span className="admin__count">
                      {formatNumber(count(data))}
                      <span className="visually-hidden">{` ${what ?? ''}`}</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
