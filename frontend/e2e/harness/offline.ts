// The network is lost and found again.
import type { BrowserContext, Page } from '@playwright/test';

/** What the browser logs of every request that finds no network. */
export const NO_NETWORK = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;

/** Waits until the service worker serves this page, and the app's files are on the device. */
export async function installed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** Chromium's emulation tells a page that was opened offline that it is online: pages opened from now on know better. */
export const knowsWhenOffline = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => sessionStorage.getItem('test-offline') === null }));

export async function goOffline(context: BrowserContext, page: Page): Promise<void> {
  await page.evaluate(() => sessionStorage.setItem('test-offline', ''));
  await context.setOffline(true);
}

export async function goOnline(context: BrowserContext, page: Page): Promise<void> {
  await page.evaluate(() => sessionStorage.removeItem('test-offline'));
  await context.setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}
