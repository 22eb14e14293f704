/// <reference lib="webworker" />
// Push messages as the service worker shows them, and where a press on one leads.
import type { CDPSession, Page, Worker } from '@playwright/test';
import { installed } from '../harness/offline';
import { newMember } from '../harness/people';
import { expect, test } from '../harness/watch';

test.use({ serviceWorkers: 'allow', permissions: ['notifications'] });

/** Delivers a message to the service worker, as the browser's push service does. */
async function deliverer(page: Page): Promise<(data: string) => Promise<void>> {
  const client: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find(({ isDeleted }) => !isDeleted);
      if (one) resolve(one.registrationId);
    });
  });
  await client.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (data) => {
    await client.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

interface Shown {
  title: string;
  options: NotificationOptions;
}

/** Records what the service worker shows: a browser without windows has no notifications. */
const recordNotifications = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as ServiceWorkerGlobalScope & { shown: Shown[] };
    scope.shown = [];
    scope.registration.showNotification = (title, options = {}) => {
      scope.shown.push({ title, options });
      return Promise.resolve();
    };
  });

const shown = (worker: Worker) => worker.evaluate(() => (self as unknown as { shown: Shown[] }).shown);

/** Presses a notification; returns whether it was closed. */
const press = (worker: Worker, data: unknown) =>
  worker.evaluate(async (data) => {
    let isClosed = false;
    let handled: Promise<unknown> = Promise.resolve();
    const event = Object.assign(new ExtendableEvent('notificationclick'), {
      notification: { data, close: () => (isClosed = true) },
      // The browser's own takes promises of its own events only.
      waitUntil: (promise: Promise<unknown>) => (handled = promise),
    });
    self.dispatchEvent(event);
    await handled;
    return isClosed;
  }, data);

test('a push message is shown, a later one replaces it, and a press leads an open tab to its page (study.push-messages)', async ({ page }) => {
  await newMember(page);
  await page.goto('/home');
  await installed(page);
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  await recordNotifications(worker);
  const deliver = await deliverer(page);

  await deliver('no message of ours');
  await deliver(JSON.stringify({ title: '2 cards are due', body: 'About a minute.', path: '/review' }));
  await deliver(JSON.stringify({ title: '3 cards are due', body: 'About 2 minutes.', path: '/review/cards' }));
  // One tag: the browser shows the later one in the place of the first.
  const options = { icon: '/icons/app-192.png', tag: 'review' };
  await expect
    .poll(() => shown(worker))
    .toEqual([
      { title: '2 cards are due', options: { ...options, body: 'About a minute.', data: '/review' } },
      { title: '3 cards are due', options: { ...options, body: 'About 2 minutes.', data: '/review/cards' } },
    ]);

  expect(await press(worker, '/review/cards')).toBe(true);
  await expect(page).toHaveURL(/\/review\/cards$/);
});
