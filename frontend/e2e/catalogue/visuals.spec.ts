import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { check, ready } from '../harness/axe';
import { newMember, signInAs } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';
import { unzip } from '../harness/zip';

const counter = (page: Page) => page.locator('.carousel__counter');

test('the list is public and counts the visuals', async ({ page }) => {
  await page.goto('/visuals');
  await expect(page.getByRole('heading', { level: 1, name: 'Visual Book Summaries' })).toBeVisible();
  await expect(page.getByText('100%')).toBeVisible();
  await expect(page.getByText('5 Min')).toBeVisible();
  const cards = page.locator('.picture-card');
  const count = await cards.count();
  // Every book that can be read.
  expect(count).toBe(25);
  await expect(page.locator('.visuals__stat-value').first()).toHaveText(String(count));
  // The press on one that needs a plan shows the offer on the spot, with price and trial. The server's own button does nothing yet.
  await appReady(page);
  await page.getByRole('button', { name: 'Walden' }).click();
  const offer = page.getByRole('dialog', { name: 'With a plan' });
  await expect(offer).toContainText('Free for 3 days, then $59.99 each year');
  await expect(offer.getByRole('link', { name: 'Try 3 days free' })).toHaveAttribute('href', '/signup?redirect=%2Fvisuals&free-trial=true');
  await expect(page).toHaveURL('/visuals');
  // A visitor who follows a link to it is asked to sign up, and comes back.
  await page.goto('/visuals/walden');
  await expect(page).toHaveURL('/signup?redirect=%2Fvisuals%2Fwalden');
});

test('the list marks what comes with a plan', async ({ page }) => {
  await page.goto('/visuals');
  const card = (name: string) => page.locator('.picture-card').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await expect(card('Walden').getByText('With a plan')).toBeVisible();
  await expect(card('Meditations').getByText('With a plan')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/try?redirect=%2Fvisuals');
  await signInAs(page, 'paid');
  await page.goto('/visuals');
  await expect(card('Walden')).toBeVisible();
  await expect(page.getByText('With a plan')).toHaveCount(0);
});

test('a free book’s key ideas are for everybody, and the way back leads to the same place in the list', async ({ page, quiet }) => {
  quiet.allow(/status of 404|There is no such book/);
  await page.goto('/visuals');
  await appReady(page);
  const link = page.getByRole('link', { name: 'Meditations', exact: true });
  await link.scrollIntoViewIfNeeded();
  await link.click();
  await expect(counter(page)).toHaveText(/^1 of/);
  const back = page.getByRole('link', { name: 'Back to Visuals' });
  await back.click();
  await expect(page).toHaveURL('/visuals');
  await page.goForward();
  await expect(page).toHaveURL('/visuals/meditations');
  // Opened by itself it has no list to go back to.
  await page.goto('/visuals/meditations');
  await back.click();
  await expect(page).toHaveURL('/visuals');
  await page.goto('/visuals/no-such-book');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
});

for (const [width, height] of [
  [390, 844],
  [320, 640],
  [320, 480],
  [640, 360],
] as const) {
  test(`at ${width} by ${height} each key idea’s text stands clear of the controls`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/visuals/meditations');
    await expect(counter(page)).toHaveText(/^1 of/);
    await ready(page);
    const total = await page.locator('.carousel__dot').count();
    for (let i = 1; ; i++) {
      const foot = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
      const controls = await page.locator('.carousel__controls').evaluate((element) => element.getBoundingClientRect().top);
      expect(await foot('.carousel__body'), `key idea ${i}`).toBeLessThanOrEqual(controls);
      const picture = await page.locator('.carousel__frame').boundingBox();
      expect(Math.abs((picture?.width ?? 0) - (picture?.height ?? 1)), `key idea ${i} is square`).toBeLessThan(1);
      if (i === total) break;
      await page.getByRole('button', { name: 'Next' }).click();
      await expect(counter(page)).toHaveText(`${i + 1} of ${total}`);
      await expect(page.locator('.carousel__picture--arriving')).toHaveCount(0);
      // A reader who scrolled to the controls sees the beginning of the next idea.
      await expect(page.locator('.carousel__frame')).toBeInViewport({ ratio: 0.9 });
    }
  });
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the lists can be read', async ({ page }) => {
    for (const address of ['/visuals', '/infographics']) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Meditations' })).toBeVisible();
    }
  });
});

test('a failing list says so, and tries again', async ({ page, quiet }) => {
  quiet.allow(/status of 500/);
  await page.goto('/books');
  await appReady(page);
  let broken = true;
  await page.route('**/api/visuals', (route) =>
    broken ? route.fulfill({ status: 500, json: { status: 'error', error: 'Something went wrong.', code: 'internal' } }) : route.continue(),
  );
  await page.evaluate(() => {
    window.history.pushState({}, '', '/visuals');
    window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  });
  await expect(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeVisible();
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.picture-card').first()).toBeVisible();
});

test('key ideas turn by buttons, dots and keys, one at a time', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/visuals/walden');
  await expect(page.getByRole('heading', { level: 1, name: 'Walden' })).toBeVisible();
  await appReady(page);
  const total = await page.locator('.carousel__dot').count();
  await expect(counter(page)).toHaveText(`1 of ${total}`);
  await expect(page.getByRole('button', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true');
  const title = page.locator('.carousel__title');
  const first = await title.textContent();

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(counter(page)).toHaveText(`2 of ${total}`);
  await expect(title).not.toHaveText(first ?? '');
  await expect(page.getByRole('progressbar', { name: 'Key ideas seen' })).toHaveAttribute('aria-valuenow', '2');
  await expect(page.locator('.carousel__picture--arriving')).toHaveCount(0);

  await page.keyboard.press('ArrowRight');
  await expect(counter(page)).toHaveText(`3 of ${total}`);
  await expect(page.locator('.carousel__picture--arriving')).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await expect(counter(page)).toHaveText(`2 of ${total}`);
  await expect(page.locator('.carousel__picture--arriving')).toHaveCount(0);

  await page.getByRole('button', { name: `Key idea ${total}:` }).click();
  await expect(counter(page)).toHaveText(`${total} of ${total}`);
  await expect(page.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('status').filter({ hasText: `${total} of ${total}` })).toHaveCount(1);
  await page.getByRole('link', { name: 'Read the summary' }).click();
  await expect(page).toHaveURL('/books/walden');
  // The way back from the summary.
  await page.getByRole('link', { name: 'See the key ideas' }).first().click();
  await expect(page).toHaveURL('/visuals/walden');
  await page.getByRole('link', { name: 'Back to Visuals' }).click();
  await expect(page).toHaveURL('/visuals');
});

test('two presses within a change are one step', async ({ page }) => {
  await page.clock.install();
  await signInAs(page, 'paid');
  await page.goto('/visuals/meditations');
  await expect(counter(page)).toHaveText(/^1 of/);
  await appReady(page);
  // The clock stands still but for what is said here: however busy the machine is, a change takes its 300 ms.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('ArrowRight');
  await expect(counter(page)).toHaveText(/^2 of/);
  await page.clock.runFor(150);
  await page.keyboard.press('ArrowRight');
  await page.clock.runFor(149);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.carousel__picture--arriving')).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(page.locator('.carousel__picture--arriving')).toHaveCount(0);
  await expect(counter(page)).toHaveText(/^2 of/);
  await page.keyboard.press('ArrowRight');
  await expect(counter(page)).toHaveText(/^3 of/);
});

test('arrow keys belong to a dialog that is open', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/visuals/meditations');
  await expect(counter(page)).toHaveText(/^1 of/);
  await appReady(page);
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(counter(page)).toHaveText(/^1 of/);
  await page.keyboard.press('ArrowRight');
  await expect(counter(page)).toHaveText(/^2 of/);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('a swipe turns, and a scroll does not', async ({ page }) => {
    await signInAs(page, 'paid');
    await page.goto('/visuals/meditations');
    await expect(counter(page)).toHaveText(/^1 of/);
    await appReady(page);
    const stage = page.locator('.carousel__stage');
    const swipe = async (dx: number, dy: number) => {
      await stage.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: 200, clientY: 300 });
      await stage.dispatchEvent('pointerup', { pointerType: 'touch', clientX: 200 + dx, clientY: 300 + dy });
    };
    await swipe(-10, -120);
    await expect(counter(page)).toHaveText(/^1 of/);
    await swipe(-120, 10);
    await expect(counter(page)).toHaveText(/^2 of/);
    await expect(page.locator('.carousel__picture--arriving')).toHaveCount(0);
    await swipe(120, 10);
    await expect(counter(page)).toHaveText(/^1 of/);
  });
});

test('a free member is led to the plans, but for a free book', async ({ page }) => {
  await newMember(page);
  await page.goto('/visuals/walden');
  await expect(page).toHaveURL('/try');
  await expect(page.getByText('With a plan, you can see the key ideas of every book.')).toBeVisible();
  await page.goto('/visuals/meditations');
  await expect(counter(page)).toHaveText(/^1 of/);
});

test('infographics: a paid member downloads, others are shown the plans', async ({ page }) => {
  await page.goto('/infographics');
  await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0);
  await signInAs(page, 'paid');
  await page.goto('/infographics');
  for (const [format, name] of [
    ['SVG', 'walden-infographic.svg'],
    ['PNG', 'walden-infographic.png'],
    ['PDF, A4', 'walden-infographic-a4.pdf'],
  ] as const) {
    const waiting = page.waitForEvent('download', { timeout: 120_000 });
    await page.getByRole('button', { name: `Download Walden as ${format}` }).click();
    expect((await waiting).suggestedFilename()).toBe(name);
  }
  const together = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: 'The newest in one file' }).click();
  const sheets = unzip(await readFile(await (await together).path()));
  expect(sheets.size).toBeGreaterThan(1);
  expect([...sheets.keys()]).toContainEqual(expect.stringMatching(/-infographic\.(pdf|png|svg)$/));
});

test.describe('with motion off, for axe measures colours', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  for (const address of ['/visuals', '/infographics', '/visuals/walden']) {
    test(`axe finds nothing on ${address}`, async ({ page }) => {
      await signInAs(page, 'paid');
      await check(page, address);
    });
  }
});
