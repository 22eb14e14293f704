// An account is brought along: the archive of one member is imported by another one, who finds in it what was read and kept.
import type { Browser, Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { buy, call, newMember } from '../harness/people';
import { place } from '../harness/reading';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

const DESKTOP = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const LIST = { name: 'How to live', note: 'Read on slow evenings.' };

interface Kept {
  highlights: { anchor: { exact: string } }[];
  cards: unknown[];
  commitments: { text: { value: string } }[];
  lists: { name: { value: string }; note: { value: string }; books: { subid: string }[] }[];
}

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');

/** What the server has of what a member keeps. */
const kept = async (page: Page) => call<Kept>(page.request, 'GET', '/api/study/changes', undefined, await tokenOf(page));

/** Highlights the first sentence of a section; returns its words. */
async function highlight(page: Page): Promise<string> {
  await page.goto('/books/meditations?section=2');
  await appReady(page);
  await expect(place(page)).toHaveText('2/10');
  await page.keyboard.press('h');
  await expect(page.locator('mark[data-cursor]').first()).toBeVisible();
  await page.keyboard.press('1');
  await expect.poll(async () => (await kept(page)).highlights.length).toBe(1);
  return (await kept(page)).highlights[0]?.anchor.exact ?? '';
}

/** Finishes a book, adds its key ideas to the review and writes a commitment. */
async function finish(page: Page): Promise<void> {
  await page.goto('/books/meditations?section=9');
  await appReady(page);
  await expect(place(page)).toHaveText('9/10');
  await page.getByRole('button', { name: 'Finish' }).click();
  const card = page.getByRole('dialog', { name: 'You have finished this summary' });
  await card.getByRole('button', { name: 'Review its key ideas' }).click();
  const field = card.getByRole('textbox', { name: 'What will you do with it?' });
  await field.fill('Write down what went well.');
  await field.press('Enter');
  await expect(card.getByText('You want to:')).toBeVisible();
  await expect.poll(async () => (await kept(page)).cards.length).toBeGreaterThan(0);
  await expect.poll(async () => (await kept(page)).commitments.length).toBe(1);
}

/** Makes a list of two books with a note, keeps one book in the library and rates another. */
async function keepBooks(page: Page): Promise<void> {
  const token = await tokenOf(page);
  const at = Date.now();
  const subids = ['walden', 'meditations'];
  const found = await Promise.all(subids.map((subid) => call<{ book: { id: number } }>(page.request, 'GET', `/api/books/${subid}`, undefined, token)));
  const books = found.map(({ book }, index) => ({ bookId: book.id, rank: `a${index}`, at }));
  await call(page.request, 'PUT', '/api/study/lists/7', { name: { value: LIST.name, at }, note: { value: LIST.note, at }, books, createdAt: at }, token);
  await call(page.request, 'POST', '/api/library', { bookId: 'walden' }, token);
  await call(page.request, 'PUT', '/api/books/rating/meditations', { rating: 5, subid: 'meditations' }, token);
}

/** Makes a member with a plan who has read and kept something, and downloads their archive to `file`. Returns the highlighted words. */
async function downloadArchive(browser: Browser, file: string): Promise<string> {
  const context = await browser.newContext({ ...DESKTOP, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await newMember(page);
  await buy(page, 'monthly');
  const words = await highlight(page);
  await finish(page);
  await keepBooks(page);
  await page.goto('/account');
  await appReady(page);
  await expect(page.getByRole('link', { name: 'Import an archive' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your archive' }).click();
  await (await downloading).saveAs(file);
  await context.close();
  return words;
}

const figures = (page: Page) => page.getByRole('list', { name: /^Imported on / }).getByRole('listitem');

/** Imports an archive; returns its figures in words. */
async function importArchive(page: Page, file: string): Promise<string[]> {
  await page.goto('/account/import');
  await appReady(page);
  await page.getByLabel('Archive').setInputFiles(file);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('Your archive has been imported.')).toBeAttached();
  return figures(page).allTextContents();
}

for (const [device, options] of [
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use(options);

    test('an archive brings what was read and kept into another account, once', async ({ page, browser }, info) => {
      test.slow();
      const file = info.outputPath('pith-archive.zip');
      const words = await downloadArchive(browser, file);

      await newMember(page);
      await page.goto('/account/import');
      await expect(page.getByText('You have not imported an archive yet.')).toBeVisible();
      const first = await importArchive(page, file);
      const texts = ['Your place in 1 book.', '1 book of your library.', '1 rating.', '1 highlight.', '1 commitment.', '1 list.'];
      for (const text of texts) expect(first).toContain(text);
      expect(first.filter((text) => /^\d+ review cards?\.$/.test(text))).toHaveLength(1);
      await expect(page.getByRole('heading', { name: 'Books that are not here' })).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible();

      await page.goto('/highlights');
      await expect(page.getByText(words)).toBeVisible();
      await page.goto('/lists');
      await page.getByRole('link', { name: LIST.name }).click();
      await expect(page.getByRole('heading', { level: 1, name: LIST.name })).toBeVisible();
      await expect(page.getByText(LIST.note)).toBeVisible();
      await page.goto('/library');
      await expect(page.getByRole('main').getByRole('heading', { level: 3, name: 'Walden' })).toBeVisible();
      const before = await kept(page);
      expect(before.lists.map(({ name, note, books }) => [name.value, note.value, books.map(({ subid }) => subid).sort()])).toEqual([
        [LIST.name, LIST.note, ['meditations', 'walden']],
      ]);
      expect(before.commitments.map(({ text }) => text.value)).toEqual(['Write down what went well.']);

      expect(await importArchive(page, file)).toEqual(first);
      const after = await kept(page);
      for (const kind of ['highlights', 'cards', 'commitments', 'lists'] as const) expect(after[kind], kind).toHaveLength(before[kind].length);
      await page.goto('/highlights');
      await expect(page.getByText('1 highlight', { exact: true })).toBeVisible();
      await expect(page.getByText(words)).toHaveCount(1);
      await page.goto('/lists');
      await expect(page.getByRole('link', { name: LIST.name })).toHaveCount(1);
    });
  });
}

test('a file that is no archive is refused at its field', async ({ page, quiet }) => {
  quiet.allow(/status of 422/);
  await newMember(page);
  await page.goto('/account/import');
  await appReady(page);
  const field = page.getByLabel('Archive');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('Please select your archive.')).toBeVisible();
  await expect(field).toBeFocused();
  await field.setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('No archive.') });
  await expect(page.getByText('Please select your archive.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('This is not an archive of a reading account.')).toBeVisible();
  await scanEverywhere(page, 'an archive that is refused');
});

test('axe finds nothing while an archive is imported, nor when books are missing', async ({ page }) => {
  const at = Date.now();
  const done = {
    state: 'done',
    isRetry: false,
    requestedAt: at,
    doneAt: at,
    error: null,
    figures: [
      { kind: 'places', imported: 10, kept: 1, unreadable: 0 },
      { kind: 'cards', imported: 40, kept: 2, unreadable: 1 },
      { kind: 'settings', imported: 3, kept: 0, unreadable: 0 },
    ],
  };
  const entries = [
    { kind: 'places', count: 1 },
    { kind: 'cards', count: 2 },
  ];
  const missing = [{ title: 'A Book That Is Not Here', author: 'Nobody at All', entries }];
  let overview: object = { lastImport: { ...done, state: 'running', doneAt: null, figures: [] }, kept: [] };
  // The catalogue of the tests has every book of their archives.
  await page.route('**/api/user/import', (route) => route.fulfill({ json: { status: 'ok', result: overview } }));
  await newMember(page);
  await page.goto('/account/import');
  await expect(page.getByText('Your archive is being imported. You can leave this page. Come back to see what was imported.')).toBeVisible();
  await scanEverywhere(page, 'an import that runs');

  overview = { lastImport: done, kept: missing };
  await expect(figures(page)).toHaveText([
    'Your place in 10 books. 1 more is not here.',
    '40 review cards. 2 more wait for books that are not here. 1 could not be imported.',
    'Your goal and settings.',
  ]);
  const books = page.getByRole('list', { name: 'Books that are not here' }).getByRole('listitem');
  await expect(books).toContainText('A place, 2 review cards');
  await scanEverywhere(page, 'an import that is done');
  await page.setViewportSize(DESKTOP.viewport);

  await page.route('**/api/user/import/kept', (route) => route.fulfill({ json: { status: 'ok', result: {} } }));
  await page.getByRole('button', { name: 'Remove all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove what waits for these books?' });
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await scanEverywhere(page, 'the question before all is removed');
  await page.setViewportSize(DESKTOP.viewport);
  overview = { lastImport: done, kept: [] };
  await dialog.getByRole('button', { name: 'Remove all' }).click();
  await expect(page.getByRole('heading', { name: 'Books that are not here' })).toHaveCount(0);
  // The focus is not lost with the section that had it.
  await expect(page.locator('body')).not.toBeFocused();
});
