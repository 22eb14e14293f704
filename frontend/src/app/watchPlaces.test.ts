import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { watchPlaces } from '@/app/watchPlaces';
import { keepUnsent, unsentPlaces } from '@/domain/places';
import { sendPlace } from '@/domain/resendPlaces';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const place = { position: 4, at: 12_345, device: null, furthest: 4, audio: null };
const late = { member: 7, book: 3, position: 4, completed: true, at: 12_345 };

let stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  session.end('left');
  localStorage.clear();
});

function watch() {
  const router = createMemoryRouter([{ path: '*', element: null }]);
  stops.push(watchPlaces(router), () => router.dispose());
  return router;
}

let sent: Record<string, unknown>[] = [];
let reached = true;
beforeEach(() => {
  sent = [];
  reached = true;
  session.start('token');
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: 7 }) })),
    on('PUT /api/user-book-history', ({ body }) => {
      sent.push(body as Record<string, unknown>);
      return reached ? { entry: { bookId: 3, position: 4, completed: true, at: 12_345 }, progress: null, place } : failure(503, 'busy', 'Too busy right now.');
    }),
  );
});

describe('what the server has not acknowledged', () => {
  it('goes out when the app starts, with its own time, and the screen that is open is asked again', async () => {
    keepUnsent(late);
    keepUnsent({ ...late, member: 8, at: 5 });
    let asked = 0;
    const screen = new QueryObserver(queryClient, { queryKey: ['member', 'progress'], queryFn: () => (asked += 1) });
    stops.push(screen.subscribe(() => undefined));
    await waitFor(() => expect(asked).toBe(1));
    watch();
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(sent).toMatchObject([{ bookId: 3, position: 4, completed: true, at: 12_345 }]);
    await waitFor(() => expect(asked).toBeGreaterThan(1));
    expect(unsentPlaces(8)).toHaveLength(1);
  });

  it.each([
    ['when the connection is back', () => window.dispatchEvent(new Event('online'))],
    ['with the next page', (router: ReturnType<typeof watch>) => router.navigate('/library')],
    [
      'when its member logs in',
      () => {
        session.end('ended');
        session.start('another');
      },
    ],
  ])('goes out %s', async (_, happens) => {
    const router = watch();
    keepUnsent(late);
    await happens(router);
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(sent).toHaveLength(1);
  });

  it('waits on while the server does not take it', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    reached = false;
    keepUnsent(late);
    const router = watch();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(unsentPlaces(7)).toMatchObject([late]);
    reached = true;
    await waitFor(async () => {
      await router.navigate(`/${Math.random()}`);
      expect(unsentPlaces(7)).toEqual([]);
    });
  });

  it('is not sent twice at once', async () => {
    keepUnsent(late);
    const first = sendPlace(late);
    watch();
    window.dispatchEvent(new Event('online'));
    await first;
    expect(unsentPlaces(7)).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});
