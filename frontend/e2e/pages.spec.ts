import { ready } from './harness/axe';
import { signInAs } from './harness/people';
import { expect, test } from './harness/watch';

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

  test('no dead button stands on a page', async ({ page }) => {
    for (const address of [
      '/',
      '/books',
      '/books/meditations',
      '/book-detail/walden',
      '/collections',
      '/authors',
      '/visuals',
      '/podcasts',
      '/try',
      '/login',
      '/signup',
      '/contact',
      '/home',
    ]) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
      const buttons = await page.locator('button').all();
      for (const button of buttons) {
        const works = await button.evaluate((one: HTMLButtonElement) => one.type === 'submit' && one.form !== null);
        if (!works) await expect(button, address).toBeHidden();
      }
    }
  });
});

test('an unknown address is a real 404 with a way on', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  const response = await page.goto('/there-is-no-such-page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
});

for (const who of ['visitor', 'member'] as const) {
  test(`the title that the server wrote stays when the app starts, for a ${who}`, async ({ page }) => {
    if (who === 'member') await signInAs(page, 'paid');
    await page.addInitScript(() => {
      const titles: string[] = [];
      Object.assign(window, { titles });
      document.addEventListener('DOMContentLoaded', () => {
        titles.push(document.title);
        new MutationObserver(() => titles.push(document.title)).observe(document.head, { childList: true, subtree: true, characterData: true });
      });
    });
    const own =
      who === 'visitor' ? ['/', '/login', '/signup'] : ['/home', '/library?view=history', '/my-progress', '/account', '/video/walden', '/visuals/walden'];
    const open = ['/books', '/books?q=virtue', '/books/meditations', '/book-detail/meditations', '/category/philosophy', '/booklist/new/all'];
    const more = ['/collections', '/authors', '/authors/marcus-aurelius', '/visuals', '/blog', '/blog/whats-new', '/podcasts', '/about', '/try'];
    for (const address of [...own, ...open, ...more]) {
      await page.goto(address);
      await ready(page);
      const titles = await page.evaluate(() => [...new Set((window as unknown as { titles: string[] }).titles)]);
      expect(titles, address).toEqual([await page.title()]);
    }
  });
}

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
      await ready(page);
      await page.evaluate(() => document.fonts.ready);
      const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
      expect(shift).toBeLessThan(0.02);
    });
  }
}

test('what the app is made of is loaded after the text has been shown', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() === 'script' && !pathname.includes('/head.')) scripts.push(pathname);
  });
  let answer: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/assets\/main\..*css$/, async (route) => {
    await slow;
    await route.continue();
  });
  await page.goto('/books/meditations', { waitUntil: 'domcontentloaded' });
  // Its cover and its fonts have come, its style sheet has not: nothing is painted yet.
  await page.evaluate(() => [...document.images].find((one) => one.fetchPriority === 'high')?.decode());
  expect(scripts).toEqual([]);
  answer();
  await ready(page);
  expect(scripts.length).toBeGreaterThan(2);
});

test('a member’s page is theirs from the first paint', async ({ page }) => {
  await signInAs(page, 'paid');
  // The app itself does not come: what is seen is the server's, as the script of the head has it drawn.
  const isApp = (url: URL) => url.pathname.endsWith('.js') && !url.pathname.includes('/head.');
  await page.route(isApp, () => undefined);
  for (const address of ['/library', '/books']) {
    await page.goto(address, { waitUntil: 'commit' });
    await expect(page.locator('.header__account')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Try it free' })).toBeHidden();
    await expect(page.getByRole('complementary', { name: 'Offer' })).toBeHidden();
    await expect(page.getByText('This page needs JavaScript.')).toBeHidden();
  }
  await page.goto('/library', { waitUntil: 'commit' });
  await expect(page.locator('.waiting__shape')).toBeVisible();
  await page.unroute(isApp);

  // The app has come, its data has not: the page shows its own shape.
  let answer: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/api\/library/, async (route) => {
    await slow;
    await route.continue();
  });
  await page.goto('/library');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Library' })).toBeVisible();
  await expect(page.locator('.waiting')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Offer' })).toHaveCount(0);
  answer();
  await expect(page.getByText('Loading your library')).toHaveCount(0);
});

test('a page that is asked for without a connection comes when it is back', async ({ page, context, quiet }) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED|Loading (CSS )?chunk/);
  await page.goto('/books');
  await ready(page);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Authors', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Not on this device' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Not on this device' })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Authors/);
});

test('a public page asks the API for nothing that came with it', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    // A visit is counted, which asks for nothing.
    if (request.url().includes('/api/') && !request.url().endsWith('/api/events')) asked.push(request.url());
  });
  for (const address of ['/', '/books', '/books?sort=ab&category=philosophy']) {
    await page.goto(address);
    await ready(page);
  }
  expect(asked).toEqual([]);
});
