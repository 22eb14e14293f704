import { matchPath } from 'react-router';
import type { createBrowserRouter } from 'react-router';
import { session } from '@/api/session';
import { loginFor, paths } from '@/paths';

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * Redirects a member's page to the login when its session ends, here or in another tab; the login comes back to it.
 * The same for any page on which a members' call is refused after the end (identity.session-end): a book that is
 * read, whose place could not be saved. Other public pages stay, for a visitor (api.unauthenticated-answer).
 */
export function watchSession(router: Router): () => void {
  const toLogin = (path: string) => {
    const { location, navigation } = router.state;
    if (session.lastEnd() === 'left') return;
    if ([location, navigation.location].some((one) => one && (matchPath(paths.login, one.pathname) || matchPath(paths.logout, one.pathname)))) return;
    void router.navigate(loginFor(path), { replace: true });
  };
  const look = () => {
    if (session.token() !== null) return;
    const { location, matches } = router.state;
    const protectedPage = matches.some(({ route }) => (route.handle as { protected?: boolean } | undefined)?.protected);
    if (protectedPage) toLogin(location.pathname + location.search);
  };
  // The session may have ended while the first page was loading. That navigation has to finish before another one can
  // replace it.
  if (session.lastEnd() === 'ended') setTimeout(look);
  const stops = [
    session.subscribe(look),
    // The reader keeps its section in the address without the router.
    session.onRejected(() => toLogin(window.location.pathname + window.location.search)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
