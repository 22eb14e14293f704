import type { createBrowserRouter } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/domain/account';
import { placesWait, resendPlaces } from '@/domain/resendPlaces';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>;

/**
 * What was read or heard and the server has not acknowledged goes out as soon as it can: when the app starts, when its
 * member logs in, when the connection is back, and with every page that is opened.
 */
export function watchPlaces(router: Router): () => void {
  const look = async () => {
    if (session.token() === null || !placesWait()) return;
    try {
      const { id } = await queryClient.query(accountQuery());
      await resendPlaces(id);
    } catch {
      // Who can't be reached is asked again on the next occasion.
    }
  };
  const now = () => void look();
  let page = router.state.location.pathname;
  const stops = [
    session.subscribe(now),
    router.subscribe(({ location }) => {
      if (location.pathname === page) return;
      page = location.pathname;
      now();
    }),
    () => window.removeEventListener('online', now),
  ];
  window.addEventListener('online', now);
  now();
  return () => {
    for (const stop of stops) stop();
  };
}
