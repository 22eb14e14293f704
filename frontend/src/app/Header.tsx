import { useQuery } from '@tanstack/react-query';
import { Link, NavLink } from 'react-router';
import { hintsPaid } from '@/api/hints';
import { useSignedIn } from '@/api/session';
import { site } from '@/lib/site';
import { SearchButton } from '@/app/Search';
import { accountQuery } from '@/shared/session/account';
import { PlanLine } from '@/shared/payment/PlanLine';
import { chooseTheme } from '@/shared/reader/theme';
import { TryFree, sendTryFree } from '@/shared/payment/TryFree';
import { useTheme } from '@/shared/reader/useTheme';
import { ROUTES, paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { Wordmark } from '@/ui/Logo';
import { Menu } from '@/ui/Menu';

/** Public header links (site.header-links): labeled with the page's title unless the specification says otherwise. Login and sign-up are separate. */
const PUBLIC_LINKS = [
  { to: paths.books, label: ROUTES.books.title },
  { to: paths.infographics, label: ROUTES.infographics.title },
  { to: paths.teams, label: 'Teams' },
  { to: paths.blog, label: ROUTES.blog.title },
  { to: paths.try, label: 'Pricing' },
] as const;

/** The signed-in dropdown (site.header-links). */
const MEMBER_LINKS = [
  { to: paths.home, label: ROUTES.home.title },
  { to: paths.myProgress, label: ROUTES.myProgress.title },
  { to: paths.account, label: ROUTES.account.title },
  { to: paths.library, label: 'My Library' },
  { to: paths.lists, label: ROUTES.lists.title },
  { to: paths.highlights, label: ROUTES.highlights.title },
  { to: paths.review, label: ROUTES.review.title },
  { to: paths.whatsNew, label: ROUTES.whatsNew.title },
  { to: paths.suggestBook, label: 'Suggest a Book' },
  { to: paths.contact, label: ROUTES.contact.title },
  { to: paths.referAFriend, label: ROUTES.referAFriend.title },
  { to: paths.tenDayChallenge, label: 'Ten Day Challenge Results' },
] as const;

export function Header() {
  const signedIn = useSignedIn();
  const links = PUBLIC_LINKS.filter(({ to }) => to !== paths.try || !signedIn || !hintsPaid());
  return (
    <header className="header">
      <div className="header__inner">
        <Link className="header__logo" to={signedIn ? paths.home : paths.front} aria-label={`${site.name}, ${signedIn ? 'my home' : 'home page'}`}>
          <Wordmark name={site.name} />
        </Link>
        <nav className="header__nav" aria-label="Main">
          <ul className="header__links">
            {links.map(({ to, label }) => (
              <li key={label}>
                <NavLink className="header__link" to={to}>
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="header__end">
          <SearchButton />
          <ThemeButton />
          {signedIn ? (
            <div className="header__member">
              <Menu
                name="Your account"
                buttonClass="header__account"
                label={
                  <>
                    <Icon name="user" />
                    <Icon name="chevronDown" />
                  </>
                }
              >
                {(shown) => (
                  <nav aria-label="Your account">
                    <MemberLinks shown={shown} />
                  </nav>
                )}
              </Menu>
            </div>
          ) : (
            <>
              <NavLink className="header__link header__login" to={paths.login}>
                Log in
              </NavLink>
              <TryFree className="header__try" />
            </>
          )}
          <div className="header__mobile">
            <Menu name="Menu" buttonClass="icon-button" label={<Icon name="menu" />}>
              {(shown) => (
                <nav aria-label="Menu">
                  <MenuLinks links={links} />
                  <div className="menu__rule" />
                  {signedIn ? (
                    <MemberLinks shown={shown} />
                  ) : (
                    <>
                      <NavLink className="menu__link" to={paths.login}>
                        Log in
                      </NavLink>
                      <NavLink className="menu__link" to={paths.signup} onClick={sendTryFree}>
                        Try it free
                      </NavLink>
                    </>
                  )}
                </nav>
              )}
            </Menu>
          </div>
        </div>
      </div>
    </header>
  );
}

/** The links for members: in the account menu, and on small screens in the single menu (site.phone-menu). */
function MemberLinks({ shown }: { shown: boolean }) {
  return (
    <>
      <PlanLine className="plan-line--menu" ask={shown} />
      <MenuLinks links={MEMBER_LINKS} />
      <AdminLink ask={shown} />
      <div className="menu__rule" />
      <Link className="menu__link" to={paths.logout}>
        Log out
      </Link>
    </>
  );
}

/** Shown to editors and admins. The account is fetched when the menu is opened, unless it is cached. */
function AdminLink({ ask }: { ask: boolean }) {
  const { data } = useQuery({ ...accountQuery(), enabled: ask });
  if (!data || data.role === 'member') return null;
  return (
    <NavLink className="menu__link" to={paths.admin}>
      {data.role === 'admin' ? 'Admin' : 'Back office'}
    </NavLink>
  );
}

function MenuLinks({ links }: { links: readonly { to: string; label: string }[] }) {
  return (
    <ul className="menu__links">
      {links.map(({ to, label }) => (
        <li key={label}>
          <NavLink className="menu__link" to={to}>
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton
      className="header__theme"
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={other === 'dark' ? 'Dark mode' : 'Light mode'}
      onClick={() => chooseTheme(other)}
    />
  );
}
