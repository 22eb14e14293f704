import { QueryClient } from '@tanstack/react-query';
import { session } from '@/api/session';

/**
 * The app's query cache. Keys begin with the kind of viewer, ['visitor', …] or ['member', …], so that personal data is never
 * shown to the next person at this browser. The API client retries by itself, so queries do not.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 60_000, gcTime: 15 * 60_000, retry: false, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** The first part of every query key: the kind of viewer. A page that waits for its member's next login is still a member's. */
export const viewer = (): 'member' | 'visitor' => (session.token() === null && !session.isWaiting() ? 'visitor' : 'member');

// Another member may sign in next: cached data is removed when the session ends.
let last = viewer();
session.subscribe(() => {
  const now = viewer();
  if (now === last) return;
  last = now;
  if (now === 'visitor') queryClient.removeQueries({ queryKey: ['member'] });
});
