// Library, history and My Progress on the real server: shelves, what is hidden, and every state of the screens.
import type { Page, Route } from '@playwright/test';
import { check, scan } from '../harness/axe';
import { newMember, signInAs } from '../harness/people';
import { turn } from '../harness/reading';
import { pressFarDown } from '../harness/ready';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and what is half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** The server's error. Without a response the app would show its copies, and keep what is pressed for later. */
const fails = (route: Route) =>
  route.fulfill({ status: 500, json: { status: 'error', code: 'internal', error: 'There was an error processing your request. Please try again later.' } });

const titles = (page: Page) => page.getByRole('main').getByRole('heading', { level: 3 });
const tab = (page: Page, name: RegExp) => page.getByRole('navigation', { name: 'Shelves' }).getByRole('link', { name });

/** Makes a call as the member who is signed in. */
async function ask(page: Page, method: string, address: string, body?: unknown): Promise<void> {
  const status = await page.evaluate(
    async ([verb, url, json]) => {
      const headers = { Authorization: `Bearer ${localStorage.getItem('token') ?? ''}`, 'Content-Type': 'application/json' };
      return (await fetch(url, { method: verb, headers, ...(json && { body: json }) })).status;
    },
    [method, address, body === undefined ? '' : JSON.stringify(body)] as const,
  );
  expect(status, `${method} ${address}`).toBe(200);
}

/** The server has taken a book out of the library, or put it back. */
const changed = (page: Page, method: 'POST' | 'DELETE') =>
  page.waitForResponse((answer) => new URL(answer.url()).pathname.startsWith('/api/library') && answer.request().method() === method && answer.ok());

const keep = (page: Page, bookId: string) => ask(page, 'POST', '/api/library', { bookId });
const read = (page: Page, bookId: string, position: number, completed = false) => ask(page, 'PUT', '/api/user-book-history', { bookId, position, completed });

test('books stand on the shelves where they belong, and a finished one stays when it is no longer saved', async ({ page }) => {
  await newMember(page);
  for (const book of ['meditations', 'the-art-of-war', 'walden']) await keep(page, book);
  await read(page, 'meditations', 3);
  await read(page, 'the-art-of-war', 99, true);

  await page.goto('/home');
  await page.getByRole('navigation', { name: 'My Pith' }).getByRole('link', { name: 'My Library' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your Library' })).toBeVisible();
  await expect(tab(page, /^All 3$/)).toHaveAttribute('aria-current', 'page');
  await expect(titles(page)).toHaveText(['Walden', 'The Art of War', 'Meditations']);

  await tab(page, /^Reading 1$/).click();
  await expect(page).toHaveURL(/shelf=reading/);
  await expect(titles(page)).toHaveText(['Meditations']);
  await expect(page.getByRole('progressbar', { name: 'Progress in Meditations' })).toHaveAttribute('aria-valuenow', '4');
  await tab(page, /^Finished 1$/).click();
  await expect(titles(page)).toHaveText(['The Art of War']);
  await tab(page, /^Saved 1$/).click();
  await expect(titles(page)).toHaveText(['Walden']);
  await page.goBack();
  await expect(titles(page)).toHaveText(['The Art of War']);

  await page.getByRole('button', { name: 'Remove The Art of War from library' }).click();
  await expect(page.getByRole('button', { name: 'Save The Art of War in library' })).toBeFocused();
  await page.reload();
  await expect(tab(page, /^Finished 1$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save The Art of War in library' })).toBeVisible();

  // Removed from the screen before the server knows: a reload must find it gone there.
  await tab(page, /^Saved 1$/).click();
  const removed = changed(page, 'DELETE');
  await page.getByRole('button', { name: 'Remove Walden from library' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing saved for later' })).toBeVisible();
  await expect(tab(page, /^All 2$/)).toBeVisible();
  await removed;
  await page.reload();
  await expect(tab(page, /^Saved 0$/)).toBeVisible();

  // A finished book leaves the shelf with its line of the history.
  await tab(page, /^History$/).click();
  await expect(titles(page)).toHaveText(['The Art of War', 'Meditations']);
  await expect(page.getByText('2 summaries, 1 finished')).toBeVisible();
  await page.getByRole('button', { name: 'Hide The Art of War from history' }).click();
  await expect(tab(page, /^Finished 0$/)).toBeVisible();
  await expect(page.getByText('1 summary, 0 finished')).toBeVisible();
});

test('a line of history is hidden until the book is read again', async ({ page }) => {
  await newMember(page);
  await read(page, 'meditations', 2);
  await read(page, 'the-art-of-war', 1);
  await page.goto('/library?view=history');
  await expect(page.getByRole('region', { name: 'Today' })).toBeVisible();
  await expect(titles(page)).toHaveText(['The Art of War', 'Meditations']);
  await page.getByRole('button', { name: 'Hide Meditations from history' }).click();
  await expect(titles(page)).toHaveText(['The Art of War']);
  await expect(page.getByRole('button', { name: 'Hide The Art of War from history' })).toBeFocused();
  const shown = page.waitForResponse((answer) => answer.url().endsWith('/show') && answer.ok());
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Hide Meditations from history' })).toBeFocused();
  await shown;
  await page.reload();
  await expect(titles(page)).toHaveText(['The Art of War', 'Meditations']);
  await page.getByRole('button', { name: 'Hide Meditations from history' }).click();
  await expect(titles(page)).toHaveText(['The Art of War']);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.reload();
  await expect(titles(page)).toHaveText(['The Art of War']);
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Pick up where you left off' }).locator('..').locator('..').getByRole('heading', { level: 3 })).toHaveText([
    'The Art of War',
  ]);

  // The place is where it was, and reading brings the line back.
  await page.goto('/books/meditations');
  await expect(page.locator('.reader__place').first()).toHaveText('3/10');
  await turn(page);
  await page.goto('/library?view=history');
  await expect(titles(page)).toHaveText(['Meditations', 'The Art of War']);
});

test('a shelf of many books comes 20 at a time, and is found again as far as it was unfolded', async ({ page }) => {
  test.slow();
  await newMember(page);
  const books = await page.evaluate(async () => ((await (await fetch('/api/books/list?limit=23')).json()) as { result: { order: string[] } }).result.order);
  expect(books).toHaveLength(23);
  for (const book of books) await keep(page, book);
  await page.goto('/library');
  await expect(tab(page, /^All 23$/)).toHaveAttribute('aria-current', 'page');
  await expect(titles(page)).toHaveCount(20);
  const more = page.getByRole('button', { name: 'Load 20 more' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(titles(page)).toHaveCount(23);
  await expect(more).toHaveCount(0);
  await expect(titles(page).nth(20).getByRole('link')).toBeFocused();

  const before = await pressFarDown(page, titles(page).last().getByRole('link'));
  expect(before).toBeGreaterThan(0);
  await expect(page).toHaveURL(/\/books\/.+/);
  await page.goBack();
  await expect(titles(page)).toHaveCount(23);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  await page.reload();
  await expect(titles(page)).toHaveCount(23);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test('a book that can’t be removed shows the error on its card, and a removed one can be restored', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource|ERR_/);
  await newMember(page);
  for (const book of ['meditations', 'the-art-of-war', 'walden', 'the-enchiridion', 'on-liberty', 'the-souls-of-black-folk']) await keep(page, book);
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto('/library');
  const last = page.getByRole('button', { name: 'Remove Meditations from library' });
  await expect(last).toBeVisible();
  await page.route('/api/library/*', fails);
  await last.click();
  const failure = page.getByRole('article').filter({ hasText: 'Marcus Aurelius' }).getByRole('alert');
  await expect(failure).toContainText('“Meditations” could not be removed.');
  await expect(failure).toBeInViewport();
  await expect(last).toBeFocused();

  await page.unroute('/api/library/*');
  await last.click();
  await expect(last).toHaveCount(0);
  const putBack = changed(page, 'POST');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(last).toBeFocused();
  await putBack;
  await page.reload();
  await expect(last).toBeVisible();
});

test('the shelves of a narrow phone show which one is open', async ({ page }) => {
  await newMember(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/library?view=history');
  await expect(tab(page, /^History$/)).toBeInViewport({ ratio: 1 });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('a history of many lines comes 20 at a time', async ({ page }) => {
  test.slow();
  await signInAs(page, 'regular');
  await page.goto('/library?view=history');
  await expect(titles(page)).toHaveCount(20);
  await page.getByRole('button', { name: 'Load 20 more' }).click();
  await expect.poll(() => titles(page).count()).toBeGreaterThan(20);
});

test('the screens say when nothing is there, and when nothing comes', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource|ERR_/);
  await newMember(page);
  await page.goto('/library?view=history');
  await expect(page.getByRole('heading', { name: 'Nothing read yet' })).toBeVisible();
  await scan(page, page.url());
  for (const [shelf, heading] of [
    ['all', 'Nothing on your shelf yet'],
    ['reading', 'Nothing started'],
    ['saved', 'Nothing saved for later'],
  ] as const) {
    await page.goto(`/library?shelf=${shelf}`);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
  await page.goto('/my-progress');
  await expect(page.getByText(/^Your first summary puts the first mark/)).toBeVisible();
  await expect(page.getByText('No summary completed in the last 53 weeks')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upgrade' })).toBeVisible();
  await scan(page, page.url());

  await page.route(/\/api\/(library|user-book-history)/, fails);
  for (const address of ['/library?shelf=saved', '/library?view=history', '/my-progress']) {
    await page.goto(address);
    await expect(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible();
  }
  await expect(page.getByRole('alert')).toContainText('There was an error processing your request. Please try again later.');
  await page.unroute(/\/api\/(library|user-book-history)/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Your first summary puts the first mark/)).toBeVisible();
});

test('the keyboard alone walks the shelves and hides a line', async ({ page }) => {
  await newMember(page);
  await read(page, 'meditations', 2);
  await page.goto('/library');
  await expect(page.getByRole('heading', { name: 'Nothing on your shelf yet' })).toBeVisible();
  await tab(page, /^All/).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
  await expect(tab(page, /^History$/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(titles(page)).toHaveText(['Meditations']);
  await page.getByRole('link', { name: 'Meditations' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing read yet' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Your Library' })).toBeFocused();
});

for (const address of ['/my-progress', '/library', '/library?view=history', '/home']) {
  test(`axe finds nothing on ${address} after a year of reading`, async ({ page }) => {
    await signInAs(page, 'regular');
    await check(page, address);
  });
}

test('a year of reading is a picture', async ({ page }) => {
  await signInAs(page, 'regular');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/my-progress');
    const months = page.getByRole('list', { name: 'By month' }).getByRole('listitem');
    await expect.poll(() => months.count()).toBeGreaterThan(8);
    await expect(page.getByText(/^\d+ readings on \d+ days$/)).toBeVisible();
    await expect(page.locator('.award--achieved time').first()).toBeVisible();
  }
});
