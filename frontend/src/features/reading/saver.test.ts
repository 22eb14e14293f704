import { describe, expect, it, vi } from 'vitest';
import { createPlaceSaver } from '@/features/reading/saver';
import type { Place } from '@/features/reading/saver';

const at = (position: number, completed = false): Place => ({ position, completed, at: 1000 + position });

/** A server that answers when it is told to. */
function setUp() {
  const calls: { place: Place; answer: () => Promise<void>; fail: () => Promise<void> }[] = [];
  const saved = vi.fn();
  const failed = vi.fn();
  const settled = () => new Promise<void>((done) => queueMicrotask(() => queueMicrotask(() => queueMicrotask(done))));
  const saver = createPlaceSaver(
    (place) =>
      new Promise<string>((resolve, reject) => {
        calls.push({
          place,
          answer: () => (resolve('done'), settled()),
          fail: () => (reject(new Error('offline')), settled()),
        });
      }),
    { saved, failed, worthRetrying: () => true },
  );
  const call = (i: number) => {
    const found = calls[i];
    if (!found) throw new Error(`There was no call ${i}.`);
    return found;
  };
  return { saver, calls, call, saved, failed, places: () => calls.map(({ place }) => place) };
}

describe('saving places', () => {
  it('has one call under way, and then sends the newest place only', async () => {
    const { saver, call, places } = setUp();
    saver.save(at(1));
    saver.save(at(2));
    saver.save(at(3));
    expect(places()).toEqual([at(1)]);
    await call(0).answer();
    expect(places()).toEqual([at(1), at(3)]);
  });

  it('never drops a completion for a later place', async () => {
    const { saver, call, places } = setUp();
    saver.save(at(6));
    saver.save(at(7, true));
    saver.save(at(8));
    await call(0).answer();
    await call(1).answer();
    expect(places()).toEqual([at(6), at(7, true), at(8)]);
  });

  it('tries a lost place once more when the connection is back, and only once', async () => {
    const { saver, call, places, failed } = setUp();
    saver.save(at(4));
    await call(0).fail();
    expect(failed).toHaveBeenLastCalledWith(at(4), expect.any(Error), true);
    saver.retry();
    await call(1).fail();
    expect(failed).toHaveBeenLastCalledWith(at(4), expect.any(Error), false);
    saver.retry();
    expect(places()).toEqual([at(4), at(4)]);
  });

  it('forgets a lost place when a newer one is saved', async () => {
    const { saver, call, places } = setUp();
    saver.save(at(4));
    await call(0).fail();
    saver.save(at(5));
    await call(1).answer();
    saver.retry();
    expect(places()).toEqual([at(4), at(5)]);
  });

  it('sends a lost completion along with the next place', async () => {
    const { saver, call, places } = setUp();
    saver.save(at(7, true));
    await call(0).fail();
    saver.save(at(8));
    await call(1).answer();
    expect(places()).toEqual([at(7, true), at(7, true), at(8)]);
  });

  it('sends what still waits when the page is left', () => {
    const { saver, places } = setUp();
    saver.save(at(1));
    saver.save(at(2));
    saver.flush();
    expect(places()).toEqual([at(1), at(2)]);
    saver.flush();
    expect(places()).toHaveLength(2);
  });
});
