import type { Locator, Page } from '@playwright/test';
import { expect } from './watch';

/**
 * Waits until the app has drawn the page and nothing is fetched (`ReadyMarker.tsx`). Before that the server's text may stand there, or
 * a visitor's answer, and a press or a key would go to what is about to be replaced.
 */
export const appReady = (page: Page): Promise<void> => expect(page.locator('html')).toHaveAttribute('data-app', 'ready');

/** Scrolls to a link and presses it; answers how far down the page was at the press, which is where the way back leads. */
export async function pressFarDown(page: Page, link: Locator): Promise<number> {
  await appReady(page);
  await link.scrollIntoViewIfNeeded();
  // A press may scroll as well, so that it is noted with the press.
  await page.evaluate(() => window.addEventListener('click', () => Object.assign(window, { pressedAt: window.scrollY }), { capture: true, once: true }));
  await link.click();
  return page.evaluate(() => (window as unknown as { pressedAt: number }).pressedAt);
}
