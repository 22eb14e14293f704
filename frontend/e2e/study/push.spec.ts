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

/** The notifications that the service worker shows. */
const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as ServiceWorkerGlobalScope;
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, path: data as unknown }));
  });

test('a push message is shown, a later one replaces it, and a press leads an open tab to its page (study.push-messages)', async ({ page }) => {
  await newMember(page);
  await page.goto('/home');
  await installed(page);
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  const deliver = await deliverer(page);

  await deliver('no message of ours');
  await deliver(JSON.stringify({ title: '2 cards are due', body: 'About a minute.', path: '/review' }));
  await expect.poll(() => shown(worker)).toEqual([{ title: '2 cards are due', body: 'About a minute.', tag: 'review', path: '/review' }]);
  await deliver(JSON.stringify({ title: '3 cards are due', body: 'About 2 minutes.', path: '/review/cards' }));
  await expect.poll(() => shown(worker)).toEqual([{ title: '3 cards are due', body: 'About 2 minutes.', tag: 'review', path: '/review/cards' }]);

  await worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope;
    const [notification] = await scope.registration.getNotifications();
    if (notification) scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  });
  await expect(page).toHaveURL(/\/review\/cards$/);
  expect(await shown(worker)).toEqual([]);
});
