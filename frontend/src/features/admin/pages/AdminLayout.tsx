import { useQuery } from '@tanstack/react-query';
import { NavLink, Outlet } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { accountQuery } from '@/domain/account';
import { AccessPage } from '@/features/admin/components/AccessPage';
import { overviewQuery } from '@/features/admin/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatNumber } from '@/lib/format';
import { paths } from '@/paths';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';
import '@/features/admin/admin.css';

export const loader = () => settleBeforeFirstRender(queryClient.query(accountQuery()));

/** The back office's layout: access and navigation (decisions.md 20). The server authorises each call again. */
export function Component() {
  const { data, error, refetch } = useQuery(accountQuery());
  if (data) return data.role === 'admin' ? <BackOffice /> : <AccessPage />;
  if (error) {
    return (
      <div className="page">
        <ErrorState error={error} level={1} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="page admin">
      <h1 className="page__title">Back Office</h1>
      <div role="status">
        <span className="visually-hidden">Loading</span>
        <SkeletonText width={40} />
      </div>
    </div>
  );
}

function BackOffice() {
  const { data } = useQuery(overviewQuery());
  return (
    <div className="page admin">
      <nav className="admin__nav" aria-label="Back office">
        <ul className="admin__links">
          <Section to={paths.adminMessages} label="Inbox" count={data?.unread} what="to see to" />
          <Section to={paths.adminMails} label="Mails" count={data?.mails.setAside} what="set aside" />
        </ul>
      </nav>
      <div className="admin__page">
        <Outlet />
      </div>
    </div>
  );
}

function Section({ to, label, count, what }: { to: string; label: string; count: number | undefined; what: string }) {
  return (
    <li>
      <NavLink className="admin__link" to={to}>
        {label}
        {count ? (
          <span className="admin__count">
            {formatNumber(count)}
            <span className="visually-hidden">{` ${what}`}</span>
          </span>
        ) : null}
      </NavLink>
    </li>
  );
}
