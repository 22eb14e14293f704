import type { Request } from '@playwright/test';
import { appReady, pressFarDown } from '../harness/ready';
import { expect, test } from '../harness/watch';

test('the list keeps its state in the address: search, sort, category, back and reload', async ({ page }) => {
  await page.goto('/books');
  await expect(page.getByRole('heading', { level: 1, name: 'Book Summaries' })).toBeVisible();
  await appReady(page);

  await page.getByText('A–Z', { exact: true }).click();
  await expect(page).toHaveURL('/books?sort=ab');
  const titles = page.locator('.book-grid .book-card__title');
  await expect.poll(async () => (await titles.allTextContents()).length).toBeGreaterThan(3);

  await page.locator('.books__chips').getByRole('link', { name: 'Philosophy' }).click();
  await expect(page).toHaveURL('/books?category=philosophy&sort=ab');
  await expect(page.getByRole('heading', { level: 1, name: 'Philosophy' })).toBeVisible();

  await page.getByRole('searchbox').fill('Danube');
  await expect(page).toHaveURL('/books?category=philosophy&q=Danube');
  await expect(page.locator('.book-hit').first()).toBeVisible();
  await expect(page.locator('.book-hit mark').first()).toBeVisible();

  await page.goBack();
  await expect(page).toHaveURL('/books?category=philosophy&sort=ab');
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await page.goForward();
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('Danube');
});

test('a search that finds nothing says so and leads on', async ({ page }) => {
  await page.goto('/books?q=qqqqxyzzy');
  await expect(page.getByRole('heading', { name: 'Nothing found for “qqqqxyzzy”' })).toBeVisible();
  await page.getByRole('link', { name: 'Show all summaries' }).click();
  await expect(page).toHaveURL('/books');
});

test('back from a book returns to the place in the list', async ({ page }) => {
  await page.goto('/books');
  const before = await pressFarDown(page, page.locator('.book-grid .book-card__link').nth(11));
  expect(before).toBeGreaterThan(200);
  await expect(page).toHaveURL(/\/books\/.+/);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test('after a navigation the heading has the focus and the title is read out', async ({ page }) => {
  await page.goto('/');
  await appReady(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Book Summaries' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.locator('[aria-live=polite][aria-atomic=true]')).toHaveText('Book Summaries – Pith');
});

test('the front page is read at once, and its pages turn', async ({ page }) => {
  await page.goto('/');
  await appReady(page);
  const book = page.locator('.open-book');
  const idea = book.locator('.open-book__idea');
  const first = await idea.textContent();
  await book.getByRole('button', { name: 'Next idea' }).click();
  await expect(idea).not.toHaveText(first ?? '');
  await expect(idea).toBeFocused();
  await expect(book.getByRole('button', { name: 'Previous idea' })).toBeEnabled();
});

test('a button that is pressed before the app has come does what it says once it is there', async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route(/\/assets\/(?!head\.).*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const next = page.locator('.open-book').getByRole('button', { name: 'Next idea' });
  await next.click();
  await expect(next).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.locator('.open-book').getByRole('button', { name: 'Previous idea' })).toBeEnabled();
  await expect(page.locator('.open-book__folio')).toHaveText(/^2\//);
});

test('the offer is put away for the session', async ({ page }) => {
  await page.goto('/');
  await appReady(page);
  await page.getByRole('button', { name: 'Dismiss the offer' }).click();
  await expect(page.locator('.banner')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('40off'))).toBe('close');
  await page.goto('/books');
  await expect(page.getByRole('heading', { level: 1, name: 'Book Summaries' })).toBeVisible();
  await expect(page.locator('.banner')).toBeHidden();
});

test('trying it free is counted', async ({ page }) => {
  await page.goto('/');
  await appReady(page);
  // The visit is counted too, some time after the page has come.
  const isCounted = (request: Request) => request.url().endsWith('/api/events') && request.postData() === JSON.stringify({ name: 'start_for_free' });
  const counted = page.waitForResponse((response) => isCounted(response.request()));
  await page.getByRole('banner').getByRole('link', { name: 'Try it free' }).click();
  const response = await counted;
  expect(response.status()).toBe(200);
  await expect(page).toHaveURL('/signup');
});

test('the mobile menu opens, closes on Escape and gives the focus back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/books');
  await appReady(page);
  const button = page.getByRole('button', { name: 'Menu' });
  await button.click();
  await expect(page.getByRole('link', { name: 'Pricing' }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('a failed request shows an error, and its retry button loads the list', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  await page.goto('/');
  await appReady(page);
  await page.route('**/api/books?**', (route) => route.abort());
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Book Summaries' }).click();
  await page.getByText('A–Z', { exact: true }).click();
  await expect(page.getByText('There was an error processing your request.', { exact: true })).toBeVisible();
  await page.unroute('**/api/books?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.book-grid .book-card').first()).toBeVisible();
});

test('an offline page shows a notice until the connection is back', async ({ page, context, quiet }) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED/); // what a slow browser had still to fetch
  await page.goto('/books');
  await appReady(page);
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are offline.')).toBeHidden();
});
