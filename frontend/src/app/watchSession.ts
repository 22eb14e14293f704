import { matchPath } from 'react-router';
import type { createBrowserRouter } from 'react-router';
import { session } from '@/api/session';
import { loginFor, paths } from '@/paths';

type Router = ReturnType<typeof createBrowserRouter>;

/** A member's page whose session has ended, here or in another tab, gives way to the login page and comes back after it. */
export function watchSession(router: Router): () => void {
  return session.subscribe(() => {
    if (session.token() !== null || session.lastEnd() === 'left') return;
    const { location, matches } = router.state;
    const protectedPage = matches.some(({ route }) => (route.handle as { protected?: boolean } | undefined)?.protected);
    if (!protectedPage || matchPath(paths.logout, location.pathname)) return;
    void router.navigate(loginFor(location.pathname + location.search), { replace: true });
  });
}
