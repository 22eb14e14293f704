import { expect, test } from './support/watch';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the front page can be read', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.open-book__text p').first()).toBeVisible();
  });

  test('the list can be read and followed', async ({ page }) => {
    await page.goto('/books');
    await page.locator('.book-card__link').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main p').first()).toBeVisible();
  });
});

test('an unknown address is a real 404 with a way on', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  const response = await page.goto('/there-is-no-such-page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
});

test('a screen of a later issue says that it is coming', async ({ page }) => {
  const response = await page.goto('/quiz');
  expect(response?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Intelligence Quiz' })).toBeVisible();
  await expect(page.getByText('This page is coming soon.')).toBeVisible();
});

for (const address of ['/', '/books', '/books/meditations']) {
  for (const width of [390, 1440]) {
    test(`nothing moves when ${address} comes alive at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.addInitScript(() => {
        const seen = { shift: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready);
      const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
      expect(shift).toBeLessThan(0.02);
    });
  }
}

test('a public page asks the API for nothing that came with it', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.push(request.url());
  });
  for (const address of ['/', '/books', '/books?sort=ab&category=philosophy']) {
    await page.goto(address);
    await page.waitForLoadState('networkidle');
  }
  expect(asked).toEqual([]);
});
