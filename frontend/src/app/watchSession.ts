import { matchPath } from 'react-router';
import type { createBrowserRouter } from 'react-router';
import { session } from '@/api/session';
import { loginFor, paths } from '@/paths';

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * When a member's page loses its session, here or in another tab, redirects to the login, which returns to it. Does the same
 * on any page whose member-only call is refused after the session ended (identity.session-end), such as an open book whose
 * reading position could not be saved. Other public pages stay open, as for a visitor (api.unauthenticated-answer). The back
 * office asks for the login itself (admin.ended-session).
 */
export function watchSession(router: Router): () => void {
  const toLogin = (path: string) => {
    const { location, navigation } = router.state;
    if (session.lastEnd() === 'left' || session.isWaiting()) return;
    if ([location, navigation.location].some((one) => one && (matchPath(paths.login, one.pathname) || matchPath(paths.logout, one.pathname)))) return;
    void router.navigate(loginFor(path), { replace: true });
  };
  const look = () => {
    if (session.token() !== null) return;
    const { location, matches } = router.state;
    const protectedPage = matches.some(({ route }) => (route.handle as { protected?: boolean } | undefined)?.protected);
    if (protectedPage) toLogin(location.pathname + location.search);
  };
  // The session may have ended while the first page was loading. That navigation must finish before another one can
  // replace it.
  if (session.lastEnd() === 'ended') setTimeout(look);
  const stops = [
    session.subscribe(look),
    // The reader updates the section in the URL without the router, so the URL is read from the window.
    session.onRejected(() => toLogin(window.location.pathname + window.location.search)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
