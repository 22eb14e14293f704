// Several tabs of one browser: shared storage and locks, separate memory.
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { storeUnsent, unsentPlaces } from '@/shared/positions/places';
import type { PlaceToSend } from '@/shared/positions/positionSync';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const placeOf = (at: number): PlaceToSend & { member: number } => ({ member: 7, book: 3, position: at, at, completed: false });
const events = () => ({ saved: vi.fn(), failed: vi.fn() });
const result = {
  entry: { bookId: 3, position: 1, completed: false, at: 1 },
  progress: null,
  place: { position: 1, paragraph: null, at: 1, device: null, furthest: 1, audio: null },
};

/** The times (`at`) in the calls that the server received. */
let times: number[] = [];
/** The server's response to each call. */
let answer: () => Promise<Response | null> = () => Promise.resolve(null);

beforeEach(() => {
  times = [];
  answer = () => Promise.resolve(null);
  session.start('token');
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: 7 }) })),
    on('PUT /api/user-book-history', async ({ body }) => {
      times.push((body as { at: number }).at);
      return (await answer()) ?? result;
    }),
  );
  shareLocks();
});
afterEach(() => {
  session.end('left');
  Reflect.deleteProperty(navigator, 'locks');
});

/** Delays the server's response until the returned function is called. */
function answerLater(): () => void {
  let go: () => void = () => undefined;
  const gate = new Promise<null>((resolve) => {
    go = () => resolve(null);
  });
  answer = () => gate;
  return () => go();
}

/** Locks shared by all tabs. */
function shareLocks() {
  const held = new Set<string>();
  const request = async (name: string, _: LockOptions, work: (lock: object | null) => unknown) => {
    if (held.has(name)) return work(null);
    held.add(name);
    try {
      return await work({});
    } finally {
      held.delete(name);
    }
  };
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
}

/** Another tab: separate memory, the same storage. */
async function openTab() {
  vi.resetModules();
  const tab = await import('@/shared/positions/positionSync');
  return { sync: tab.syncPlaces, save: tab.savePlace };
}

describe('several tabs', () => {
  it('send a stored place once', async () => {
    storeUnsent(placeOf(1));
    const go = answerLater();
    const [one, other] = [await openTab(), await openTab()];
    const first = one.sync();
    await waitFor(() => expect(times).toEqual([1]));
    await other.sync();
    go();
    await first;
    expect(times).toEqual([1]);
    expect(unsentPlaces(7)).toEqual([]);
  });

  it('do not resend what one of them is sending', async () => {
    const go = answerLater();
    const [one, other] = [await openTab(), await openTab()];
    one.save(placeOf(1), events());
    await waitFor(() => expect(times).toEqual([1]));
    await other.sync();
    go();
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
    expect(times).toEqual([1]);
  });

  it('tell the one whose place failed that another one has sent it', async () => {
    answer = () => Promise.resolve(failure(503, 'busy', 'Too busy right now.'));
    const [one, other] = [await openTab(), await openTab()];
    const listener = events();
    one.save(placeOf(1), listener);
    await waitFor(() => expect(listener.failed).toHaveBeenCalled());
    answer = () => Promise.resolve(null);
    await other.sync();
    expect(unsentPlaces(7)).toEqual([]);
    await one.sync();
    expect(listener.saved).toHaveBeenCalledExactlyOnceWith(placeOf(1), null);
    expect(times).toEqual([1, 1]);
  });

  it('keep a place stored when the lock is refused, and send it on the next occasion', async () => {
    storeUnsent(placeOf(1));
    const tab = await openTab();
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: () => Promise.reject(new DOMException('', 'InvalidStateError')) } });
    await tab.sync();
    expect(unsentPlaces(7)).toEqual([placeOf(1)]);
    shareLocks();
    await tab.sync();
    expect(times).toEqual([1]);
    expect(unsentPlaces(7)).toEqual([]);
  });
});
