import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { storeUnsent, unsentChanges, unsentPlaces } from '@/shared/positions/places';
import type { PlaceToSend } from '@/shared/positions/positionSync';
import { saveLibrary, savePlace, saveRating, startPositionSync, syncPlaces } from '@/shared/positions/positionSync';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const stored = { member: 7, book: 3, position: 4, completed: true, at: 12_345 };
const placeOf = (at: number, more: Partial<PlaceToSend> = {}): PlaceToSend => ({ member: 7, book: 3, position: at, at, completed: false, ...more });
const events = () => ({ saved: vi.fn(), failed: vi.fn() });

const offline = () => failure(503, 'busy', 'Too busy right now.');
const result = {
  entry: { bookId: 3, position: 4, completed: true, at: 12_345 },
  progress: null,
  place: { position: 4, paragraph: null, at: 12_345, device: null, furthest: 4, audio: null },
};

interface Call {
  at: number;
  answer: (response?: Response) => void;
}

/** All calls that the server received. */
let calls: Call[] = [];
/** The server's immediate response; 'by hand': the test responds to each call. */
let answer: (() => Response | null) | 'by hand' = () => null;
let stops: (() => void)[] = [];

beforeEach(() => {
  calls = [];
  answer = () => null;
  session.start('token');
  vi.spyOn(console, 'warn').mockReturnValue();
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: 7 }) })),
    on('PUT /api/user-book-history', async ({ body }) => {
      const { at } = body as { at: number };
      if (answer !== 'by hand') {
        calls.push({ at, answer: () => undefined });
        return answer() ?? result;
      }
      return new Promise((resolve) => calls.push({ at, answer: (response) => resolve(response ?? result) }));
    }),
  );
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  session.end('left');
});

const times = () => calls.map(({ at }) => at);
const called = (count: number) => waitFor(() => expect(calls).toHaveLength(count));
const answerTo = (index: number, response?: Response) => calls[index]?.answer(response);

function start() {
  const router = createMemoryRouter([{ path: '*', element: null }]);
  stops.push(startPositionSync(router), () => router.dispose());
  return router;
}

describe('a place that is saved', () => {
  it('is sent one call at a time, and then the newest only', async () => {
    answer = 'by hand';
    for (const at of [1, 2, 3]) savePlace(placeOf(at), events());
    await called(1);
    answerTo(0);
    await called(2);
    answerTo(1);
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(times()).toEqual([1, 3]);
  });

  it('never replaces a completion', async () => {
    answer = 'by hand';
    for (const place of [placeOf(6), placeOf(7, { completed: true }), placeOf(8)]) savePlace(place, events());
    for (const index of [0, 1, 2]) {
      await called(index + 1);
      answerTo(index);
    }
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(times()).toEqual([6, 7, 8]);
  });

  it('that fails is stored, reported as to be retried, and sent once when the connection is back', async () => {
    answer = offline;
    const listener = events();
    savePlace(placeOf(4), listener);
    await waitFor(() => expect(listener.failed).toHaveBeenLastCalledWith(placeOf(4), expect.any(Error), true));
    expect(unsentPlaces(7)).toEqual([placeOf(4)]);
    answer = () => null;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(listener.saved).toHaveBeenCalledExactlyOnceWith(placeOf(4), result));
    window.dispatchEvent(new Event('online'));
    await syncPlaces();
    expect(times()).toEqual([4, 4]);
  });

  it('that the server refuses is removed and not sent again', async () => {
    answer = () => failure(404, 'not_found', 'Not found.');
    const listener = events();
    savePlace(placeOf(4), listener);
    await waitFor(() => expect(listener.failed).toHaveBeenCalledExactlyOnceWith(placeOf(4), expect.any(Error), false));
    await syncPlaces();
    expect(unsentPlaces(7)).toEqual([]);
    expect(times()).toEqual([4]);
  });

  it('replaces an earlier one that failed', async () => {
    answer = offline;
    const listener = events();
    savePlace(placeOf(4), listener);
    await waitFor(() => expect(listener.failed).toHaveBeenCalled());
    answer = () => null;
    savePlace(placeOf(5), listener);
    await waitFor(() => expect(listener.saved).toHaveBeenCalledWith(placeOf(5), result));
    await syncPlaces();
    expect(times()).toEqual([4, 5]);
  });

  it('that gets through is followed by a completion that failed', async () => {
    answer = offline;
    const [first, second] = [events(), events()];
    savePlace(placeOf(7, { completed: true }), first);
    await waitFor(() => expect(first.failed).toHaveBeenCalled());
    answer = () => null;
    savePlace(placeOf(8), second);
    await waitFor(() => expect(first.saved).toHaveBeenCalledOnce());
    expect(times()).toEqual([7, 8, 7]);
    expect(unsentPlaces(7)).toEqual([]);
  });

  it('is sent at once when the page is left', async () => {
    answer = 'by hand';
    for (const place of [placeOf(1), placeOf(2), placeOf(3, { book: 9 })]) savePlace(place, events());
    window.dispatchEvent(new Event('pagehide'));
    await called(3);
    for (const index of [0, 1, 2]) answerTo(index);
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    window.dispatchEvent(new Event('pagehide'));
    expect(times().sort()).toEqual([1, 2, 3]);
  });
});

describe('a book that is read and heard at once', () => {
  const heard = placeOf(2, { position: null, audio: 5000 });

  it('is sent from one queue: neither source replaces the other', async () => {
    answer = 'by hand';
    savePlace(placeOf(1), events());
    await called(1);
    savePlace(heard, events());
    savePlace(placeOf(3), events());
    savePlace({ ...heard, audio: 6000, at: 4 }, events());
    for (const index of [0, 1, 2]) {
      await called(index + 1);
      answerTo(index);
    }
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(times()).toEqual([1, 3, 4]);
  });

  it('sends each place once after an outage, and each source hears of its own', async () => {
    start();
    answer = offline;
    const [reader, player] = [events(), events()];
    savePlace(placeOf(1), reader);
    savePlace(heard, player);
    await waitFor(() => expect(player.failed).toHaveBeenCalled());
    calls = [];
    answer = () => null;
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(times()).toEqual([1, 2]);
    expect(reader.saved).toHaveBeenCalledOnce();
    expect(player.saved).toHaveBeenCalledExactlyOnceWith(heard, result);
  });

  it('stops retrying at the first failure of an outage that goes on', async () => {
    answer = offline;
    const [reader, player] = [events(), events()];
    savePlace(placeOf(1), reader);
    savePlace(heard, player);
    await waitFor(() => expect(player.failed).toHaveBeenCalled());
    calls = [];
    window.dispatchEvent(new Event('online'));
    await called(1);
    await syncPlaces();
    answer = () => null;
    await syncPlaces();
    expect(unsentPlaces(7)).toEqual([]);
    expect(player.saved).toHaveBeenCalledOnce();
    expect(reader.saved).toHaveBeenCalledOnce();
  });
});

describe('a logout', () => {
  it('empties the queue; what waits stays stored for its member', async () => {
    answer = 'by hand';
    const first = events();
    savePlace(placeOf(1), first);
    await called(1);
    savePlace(placeOf(2, { book: 9, completed: true }), events());
    session.end('left');
    session.start('another');
    server.use(on('GET /api/user/account', () => ({ user: sampleUser({ id: 8 }) })));
    answerTo(0, offline());
    await waitFor(() => expect(first.failed).toHaveBeenCalled());
    answer = () => null;
    savePlace(placeOf(3, { member: 8 }), events());
    await waitFor(() => expect(unsentPlaces(8)).toEqual([]));
    await syncPlaces();
    expect(times()).toEqual([1, 3]);
    expect(unsentPlaces(7)).toHaveLength(2);
  });
});

describe('what is stored', () => {
  it('is sent when the app starts, with its own time, and the screen that is open is refetched', async () => {
    storeUnsent(stored);
    storeUnsent({ ...stored, member: 8, at: 5 });
    let fetched = 0;
    const screen = new QueryObserver(queryClient, { queryKey: ['member', 'progress'], queryFn: () => (fetched += 1) });
    stops.push(screen.subscribe(() => undefined));
    await waitFor(() => expect(fetched).toBe(1));
    start();
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(times()).toEqual([12_345]);
    await waitFor(() => expect(fetched).toBeGreaterThan(1));
    expect(unsentPlaces(8)).toHaveLength(1);
  });

  it.each([
    ['when the connection is back', () => window.dispatchEvent(new Event('online'))],
    ['with the next page', (router: ReturnType<typeof start>) => router.navigate('/library')],
    [
      'when its member logs in',
      () => {
        session.end('ended');
        session.start('another');
      },
    ],
  ])('is sent %s', async (_, happens) => {
    const router = start();
    storeUnsent(stored);
    await happens(router);
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(calls).toHaveLength(1);
  });

  it('stays stored while the server can’t take it', async () => {
    answer = offline;
    storeUnsent(stored);
    const router = start();
    await called(1);
    expect(unsentPlaces(7)).toMatchObject([stored]);
    answer = () => null;
    await waitFor(async () => {
      await router.navigate(`/${Math.random()}`);
      expect(unsentPlaces(7)).toEqual([]);
    });
  });

  it('is not sent by a sync while it is in flight', async () => {
    answer = 'by hand';
    savePlace(stored, events());
    start();
    window.dispatchEvent(new Event('online'));
    await called(1);
    answerTo(0);
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(calls).toHaveLength(1);
  });
});

describe('a rating and a change of the library', () => {
  const account = () => queryClient.setQueryData(accountQuery().queryKey, sampleUser({ id: 7 }));

  it('wait while the server can’t be reached, the last of each kind, and are sent once', async () => {
    account();
    const sent: string[] = [];
    let online = false;
    const note = (line: string) => {
      if (!online) return Response.error();
      sent.push(line);
      return null;
    };
    server.use(
      on('PUT /api/books/rating/{id}', ({ body }) => note(`rating ${(body as { rating: number }).rating}`) ?? { rating: { rating: 4, feedback: '' } }),
      on('POST /api/library', () => note('added') ?? { isInLibrary: true }),
      on('DELETE /api/library/{id}', () => note('removed') ?? { isInLibrary: false }),
    );
    answer = () => Response.error();
    const book = { id: 3, subid: 'book-3' };
    expect(await saveRating(book, 2, '')).toBe('waits');
    expect(await saveRating(book, 4, 'Good.')).toBe('waits');
    expect(await saveLibrary(3, true)).toBe('waits');
    expect(await saveLibrary(3, false)).toBe('waits');
    savePlace(placeOf(5, { completed: true }), events());
    await called(1);
    expect(unsentChanges(7)).toMatchObject([{ kind: 'rating', rating: 4, feedback: 'Good.' }, { kind: 'library', isInLibrary: false }, { completed: true }]);

    online = true;
    answer = () => null;
    await Promise.all([syncPlaces(), syncPlaces()]);
    expect(sent).toEqual(['rating 4', 'removed']);
    expect(times()).toEqual([5, 5]);
    expect(unsentChanges(7)).toEqual([]);
    await syncPlaces();
    expect(sent).toHaveLength(2);
  });

  it('is dropped and reported when the server refuses it', async () => {
    account();
    server.use(on('POST /api/library', () => failure(404, 'not_found', 'There is no such book.')));
    await expect(saveLibrary(3, true)).rejects.toMatchObject({ status: 404 });
    expect(unsentChanges(7)).toEqual([]);
  });
});
