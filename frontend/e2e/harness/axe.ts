// What every page must pass, in both themes and at each width.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { appReady } from './ready';
import { expect } from './watch';

type Theme = 'light' | 'dark';

/** A screen of a desk and one of a phone, in pixels. */
const WIDTHS = [1440, 390];
/** The rules of axe that a theme can break. All others see the same page in both themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Waits until the app has drawn the page, nothing is fetched, and nothing moves. */
export async function ready(page: Page): Promise<void> {
  await appReady(page);
  await settle(page);
}

/** Waits for fonts, for two frames, and for every animation that ends. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** axe objects to nothing, and nothing is wider than the screen. */
export async function scan(page: Page, what: string, options: { rules?: string[]; exclude?: string } = {}): Promise<void> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (options.rules) builder.withRules(options.rules);
  if (options.exclude) builder.exclude(options.exclude);
  const { violations } = await builder.analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`) }));
  expect(found, what).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${what} scrolls sideways`).toBe(true);
}

/** Puts a theme on the page, as the app does (`applyTheme`). */
async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((theme) => {
    document.documentElement.dataset['theme'] = theme;
    document.body.classList.toggle('dark', theme === 'dark');
  }, theme);
}

/** Scans what the page shows now at each width: all rules in the light theme, the colours in the dark one too. */
export async function scanEverywhere(page: Page, what: string, widths = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme);
      await settle(page);
      await scan(page, `${what} at ${width} px in the ${theme} theme`, theme === 'dark' ? { rules: COLOUR_RULES } : {});
    }
  }
  await showTheme(page, 'light');
}

/** Opens a page and scans it everywhere. */
export async function check(page: Page, address: string, widths?: number[]): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await ready(page);
  await scanEverywhere(page, address, widths);
}
