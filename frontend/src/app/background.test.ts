import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { createBrowserRouter } from 'react-router';
import { session } from '@/api/session';

const startCounting = vi.hoisted(() => vi.fn());
vi.mock('@/shared/readingTime/countReading', () => ({ startCounting }));

/** What the browser does when another tab has changed the storage; without a key, when it has cleared it. */
const changeStorage = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

const router = { state: { location: { pathname: '/' } }, subscribe: () => () => undefined } as unknown as ReturnType<typeof createBrowserRouter>;

beforeEach(() => startCounting.mockClear());
afterEach(() => session.end('left'));

it('reading time is counted from the login on, once, whatever other tabs did before (reading-progress.reading-time)', async () => {
  const { startInBackground } = await import('@/app/background');
  startInBackground(router);
  changeStorage(null);
  changeStorage('token');
  expect(startCounting).not.toHaveBeenCalled();
  session.start('token');
  await vi.waitFor(() => expect(startCounting).toHaveBeenCalledOnce());
  session.end('left');
  session.start('token');
  changeStorage('token');
  await Promise.resolve();
  expect(startCounting).toHaveBeenCalledOnce();
});
