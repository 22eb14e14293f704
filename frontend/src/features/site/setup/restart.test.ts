import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForRestart } from '@/features/site/setup/restart';

const fetched = vi.fn<() => Promise<Response>>();
beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = (status: number) => Promise.resolve(new Response(null, { status }));
const never = new AbortController().signal;

/** How long the wait takes, in milliseconds, and its result. */
async function waited(signal = never) {
  const began = Date.now();
  const wait = waitForRestart(signal).then((ready) => ({ ready, after: Date.now() - began }));
  await vi.advanceTimersByTimeAsync(30_000);
  return wait;
}

it('the server that is about to stop does not count as restarted', async () => {
  fetched
    .mockImplementationOnce(() => answer(200))
    .mockImplementationOnce(() => answer(503))
    .mockImplementation(() => answer(200));
  expect(await waited()).toEqual({ ready: true, after: 1_000 });
});

it('a connection that is refused counts as a stop', async () => {
  fetched.mockRejectedValueOnce(new TypeError('refused')).mockImplementation(() => answer(200));
  expect(await waited()).toEqual({ ready: true, after: 500 });
});

it('a restart that was too short to be seen is over after three seconds', async () => {
  fetched.mockImplementation(() => answer(200));
  expect(await waited()).toEqual({ ready: true, after: 3_000 });
});

it('a server that stays away is waited for 20 seconds', async () => {
  fetched.mockImplementation(() => answer(503));
  expect(await waited()).toEqual({ ready: false, after: 20_000 });
});

it('the wait ends with its page', async () => {
  fetched.mockImplementation(() => answer(503));
  const page = new AbortController();
  setTimeout(() => page.abort(), 1_200);
  expect(await waited(page.signal)).toEqual({ ready: false, after: 1_500 });
  expect(fetched).toHaveBeenCalledTimes(3);
});
