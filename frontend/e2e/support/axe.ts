// What every page must pass, in every theme and width.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './watch';

/** Opens a page and finds nothing that axe objects to, nor anything wider than the screen. */
export async function check(page: Page, address: string) {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`) })), address).toEqual([]);
  // No page is ever wider than the screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${address} scrolls sideways`).toBe(true);
}
