// Lists, collections, authors, categories, and search as one types.
import { check, ready, scanEverywhere } from '../harness/axe';
import { appReady, pressFarDown } from '../harness/ready';
import { expect, test } from '../harness/watch';

const SCREENS = [
  '/collections',
  '/collections/1',
  '/authors',
  '/authors?letter=t',
  '/authors/plato',
  '/category/philosophy',
  '/booklist/new/all',
  '/booklist/trending/stoicism',
  '/booklist/ab/all?collection=1',
];

test.describe('with motion off, for axe measures colours', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  for (const address of SCREENS) {
    test(`axe finds nothing on ${address}`, async ({ page }) => {
      await check(page, address);
    });
  }

  test('axe finds nothing in the search', async ({ page }) => {
    test.slow();
    await page.goto('/collections');
    await ready(page);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByRole('combobox')).toBeFocused();
    await scanEverywhere(page, 'the search, empty');
    await page.getByRole('combobox').fill('liberty');
    await expect(page.getByRole('option').first()).toBeVisible();
    await scanEverywhere(page, 'the search, with results');
    await page.getByRole('combobox').fill('qqqqxyzzy');
    await expect(page.getByText('Nothing found for “qqqqxyzzy”')).toBeVisible();
    await scanEverywhere(page, 'the search, with nothing');
  });
});

test('without a connection the search says so, stays on the page, and comes when the connection is back', async ({ page, context, quiet }) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED|ChunkLoadError|Loading chunk|Failed to load resource/);
  await page.goto('/books/meditations');
  await expect(page.getByRole('group', { name: 'Reader menu' })).toBeVisible();
  await appReady(page);
  await context.setOffline(true);
  await page.keyboard.press('/');
  await expect(page.getByText('Search could not be loaded. Check your connection and try again.')).toBeVisible();
  await expect(page).toHaveURL('/books/meditations');
  await context.setOffline(false);
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox')).toBeFocused();
});

test('a search result opens at the section where the words were found', async ({ page }) => {
  await page.goto('/books?q=obstacle');
  await appReady(page);
  const hit = page
    .locator('.book-hit')
    .filter({ has: page.locator('.book-hit__passage') })
    .filter({ has: page.locator('.book-hit__section') })
    .first();
  const section = (await hit.locator('.book-hit__section').innerText()).replace(/^In “|”$/g, '');
  await expect(hit.getByRole('link')).toHaveAttribute('href', /\?section=\d+$/);
  await hit.getByRole('link').click();
  await expect(page.getByText(section).first()).toBeVisible();
});

test('the search goes with the keyboard alone, forgives a slip, and is remembered', async ({ page }) => {
  await page.goto('/collections');
  await appReady(page);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox');
  await expect(field).toBeFocused();
  await page.keyboard.type('thoro');
  const author = page.getByRole('group', { name: 'Authors' }).getByRole('option').first();
  await expect(author).toContainText('Henry David Thoreau');
  await expect(page.getByRole('status').filter({ hasText: 'Authors: ' })).toBeAttached();
  const first = page.getByRole('option').first();
  // What is found for all letters stands there, and is not replaced any more.
  await appReady(page);
  await page.keyboard.press('ArrowDown');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id')) ?? '');
  await expect(field).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  // Where it was found: in the first section.
  await expect(page).toHaveURL('/books/walden?section=1');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto('/authors');
  await appReady(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'thoro' })).toBeVisible();
  await page.getByRole('option', { name: 'thoro' }).click();
  await expect(field).toHaveValue('thoro');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Enter shows all results; a search that fails says so and can be tried again', async ({ page, quiet }) => {
  quiet.allow(/status of 500/);
  await page.goto('/books');
  await appReady(page);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.route('**/api/search*', (route) => route.fulfill({ status: 500, json: { status: 'error', error: 'Not now.', code: 'internal' } }), { times: 1 });
  await page.getByRole('combobox').fill('river');
  await expect(page.getByRole('alert')).toContainText('Not now.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.getByRole('combobox').press('Enter');
  await expect(page).toHaveURL('/books?q=river');
  await expect(page.locator('.book-hit').first()).toBeVisible();
});

test('a collection leads to its books, its categories and back', async ({ page }) => {
  await page.goto('/books');
  await appReady(page);
  await page.getByRole('main').getByRole('link', { name: 'Collections' }).click();
  await page.getByRole('link', { name: 'Steady Minds' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Steady Minds' })).toBeFocused();
  await expect(page.locator('.book-grid .book-card').first()).toBeVisible();
  await page.getByText('A–Z', { exact: true }).click();
  await expect(page).toHaveURL(/\/collections\/\d+\?sort=ab$/);
  await page.getByRole('link', { name: 'Philosophy' }).first().click();
  await expect(page).toHaveURL('/category/philosophy');
  await expect(page.getByRole('heading', { name: 'Popular in Philosophy' })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Back to collections' }).click();
  await expect(page).toHaveURL('/collections');
});

test('the way back to the collections finds the place in them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto('/collections');
  const before = await pressFarDown(page, page.locator('.collection-card__link').last());
  expect(before).toBeGreaterThan(0);
  await page.getByText('A–Z', { exact: true }).click();
  await expect(page).toHaveURL(/\?sort=ab$/);
  await page.getByRole('link', { name: 'Back to collections' }).click();
  await expect(page).toHaveURL('/collections');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test('on a phone the chosen category is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/books?category=history');
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'History' })).toBeInViewport({ ratio: 1 });
});

test('book lists change their order in the address', async ({ page }) => {
  await page.goto('/booklist/new/stoicism');
  await expect(page.getByRole('heading', { level: 1, name: 'stoicism' })).toBeVisible();
  await appReady(page);
  await page.getByText('Popular', { exact: true }).click();
  await expect(page).toHaveURL('/booklist/trending/stoicism');
  await page.getByText('Latest', { exact: true }).click();
  await expect(page).toHaveURL('/booklist/new/stoicism');
  await page.getByLabel('With video').check();
  await expect(page).toHaveURL('/booklist/new/stoicism?video=true');
  await page.goto('/booklist/ab/all?collection=1');
  await expect(page.getByRole('link', { name: 'Back to collections' })).toBeVisible();
});

test('collections come by pages', async ({ page }) => {
  await page.goto('/books');
  await appReady(page);
  await page.route(/\/api\/collections(\?.*)?$/, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  // By the app itself: the page that the server writes brings its own first answer along.
  await page.evaluate(() => {
    window.history.pushState(null, '', '/collections');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page.getByRole('heading', { level: 1, name: 'Collections' })).toBeVisible();
  const cards = page.locator('.collection-card');
  await expect(cards).toHaveCount(2);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => cards.count()).toBeGreaterThan(2);
});

test('a list keeps its name while another order comes', async ({ page }) => {
  await page.goto('/booklist/new/self-control');
  await appReady(page);
  const heading = page.getByRole('heading', { level: 1 });
  const name = await heading.textContent();
  const seen = await page.evaluateHandle(() => {
    const names = new Set<string>();
    const look = () => names.add(document.querySelector('h1')?.textContent ?? '');
    look();
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    return names;
  });
  await page.getByText('Popular', { exact: true }).click();
  await expect(page).toHaveURL(/\/booklist\/trending\/self-control/);
  await expect(page.locator('.books__list')).toHaveAttribute('aria-busy', 'false');
  expect(await seen.evaluate((names) => [...names])).toEqual([name]);
});

test('authors stand from A to Z, each with text and books', async ({ page }) => {
  await page.goto('/authors');
  await appReady(page);
  await page.getByRole('link', { name: 'T', exact: true }).click();
  await expect(page).toHaveURL('/authors#letter-t');
  await page.getByRole('link', { name: /Henry David Thoreau/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Henry David Thoreau' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Walden' })).toBeVisible();
});

test('what is not there is a real 404', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  for (const address of ['/collections/999', '/authors/nobody', '/category/nothing', '/booklist/new/nothing', '/booklist/oldest/all']) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  }
});

test('going back to a list, also after a reload, finds the pages and the place', async ({ page }) => {
  await page.goto('/books');
  await appReady(page);
  const links = page.locator('.book-grid .book-card__link');
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => links.count()).toBeGreaterThan(20);
  const count = await links.count();
  const before = await pressFarDown(page, links.nth(count - 1));
  await expect(page).toHaveURL(/\/books\/.+/);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  await expect(links).toHaveCount(count);
  await page.reload();
  await expect(links).toHaveCount(count);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('lists can be read and walked', async ({ page }) => {
    await page.goto('/collections');
    await page.getByRole('link', { name: 'Steady Minds' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Steady Minds' })).toBeVisible();
    await expect(page.locator('.book-grid .book-card').first()).toBeVisible();
    await page.goto('/authors');
    await page.getByRole('link', { name: /Plato/ }).click();
    await expect(page.locator('.author__text')).toContainText('Socrates');
    await page.goto('/booklist/new/all');
    await page.getByRole('link', { name: 'Load more' }).click();
    await expect(page.locator('.book-grid .book-card').first()).toBeVisible();
  });
});
