// Books as files and on e-readers, against the real server: the files themselves, the screens, and who is refused.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { EpubCheck } from '@likecoin/epubcheck-ts';
import type { Download } from '@playwright/test';
import { ready, scan } from '../harness/axe';
import { newMember, signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

/** Mails with a file whose name fits. */
async function mailsWith(file: string): Promise<string[]> {
  const outbox = path.join(process.env['E2E_HOME'] ?? '', 'outbox');
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(names.map((name) => readFile(path.join(outbox, name), 'latin1')));
  return mails.filter((mail) => mail.includes(`filename="${file}"`));
}

test('a PDF downloads on load under the book’s name', async ({ page }) => {
  await signInAs(page, 'paid');
  const coming = page.waitForEvent('download');
  await page.goto('/download-pdf/walden/Walden');
  const download = await coming;
  expect(download.suggestedFilename()).toBe('Walden.pdf');
  const pdf = await bytesOf(download);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.length).toBeGreaterThan(40_000);
  await expect(page.getByRole('status').filter({ hasText: 'Your PDF is in your downloads.' })).toBeVisible();
  await scan(page, page.url());
  const again = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download again' }).click();
  expect((await again).suggestedFilename()).toBe('Walden.pdf');
});

test('a visitor signs up before a download, and a member without allowance is led to the plans', async ({ page, quiet }) => {
  quiet.allow(/status of 403/);
  await page.goto('/download-pdf/walden/Walden');
  await expect(page).toHaveURL('/signup?redirect=%2Fdownload-pdf%2Fwalden%2FWalden');
  await newMember(page);
  for (const book of ['walden', 'on-liberty', 'the-prince']) {
    await page.goto(`/download-pdf/${book}/Book`);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download · uses 1 of/ }).click();
    await coming;
  }
  await page.goto('/download-pdf/the-republic/The%20Republic');
  await expect(page).toHaveURL(/\/try$/);
});

test('a refused PDF does not redirect a member who has left the download page', async ({ page, quiet }) => {
  await signInAs(page, 'free');
  quiet.allow(/status of 403/);
  let refuse: () => Promise<void> = () => Promise.resolve();
  const asked = new Promise<void>((resolve) => {
    void page.route('**/api/books/download-pdf/**', (route) => {
      refuse = () => route.fulfill({ status: 403, json: { status: 'error', error: 'Upgrade to download.', code: 'upgrade_required' } });
      resolve();
    });
  });
  await page.goto('/download-pdf/walden/Walden');
  await page.getByRole('button', { name: /^Download · uses 1 of/ }).click();
  await asked;
  await page.getByRole('link', { name: 'Book Summaries' }).first().click();
  await expect(page).toHaveURL(/\/books$/);
  const refused = page.waitForResponse((answer) => answer.url().includes('/download-pdf/'));
  await refuse();
  await refused;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(page).toHaveURL(/\/books$/);
});

test('without an answer the PDF can be tried again', async ({ page, quiet }) => {
  quiet.allow(/ERR_|Failed to load/);
  await signInAs(page, 'paid');
  await page.route('**/api/books/download-pdf/**', (route) => route.abort());
  await page.goto('/download-pdf/walden/Walden');
  await expect(page.getByRole('alert')).toBeVisible();
  await scan(page, page.url());
  await page.unroute('**/api/books/download-pdf/**');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Try again' }).click();
  await coming;
});

test('a busy server shows its error to a paid member, without a redirect to the plans', async ({ page, quiet }) => {
  quiet.allow(/status of 503/);
  await signInAs(page, 'paid');
  await page.route('**/api/books/download-pdf/**', (route) =>
    route.fulfill({ status: 503, headers: { 'Retry-After': '600' }, json: { status: 'error', error: 'The server is busy.', code: 'busy' } }),
  );
  await page.goto('/download-pdf/walden/Walden');
  await expect(page.getByRole('alert')).toContainText('The server is busy.');
  await page.unroute('**/api/books/download-pdf/**');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Try again' }).click();
  await coming;
});

test('a book that is not there is not found, and one to come says so', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  await signInAs(page, 'paid');
  for (const address of ['/download-pdf/no-such/Nothing', '/download-pdf-or/no-such/Your%20account%20was%20hacked', '/send-to-kindle/no-such']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(page.getByText('hacked')).toBeHidden();
  }
  await page.route('**/api/books/walden/file', async (route) => {
    const answer = (await (await route.fetch()).json()) as { result: { book: object } };
    await route.fulfill({ json: { ...answer, result: { ...answer.result, canDownload: false, book: { ...answer.result.book, comingSoon: true } } } });
  });
  for (const address of ['/download-pdf/walden/Walden', '/download-pdf-or/walden/Walden']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Coming soon' })).toBeVisible();
    await expect(page.getByText('This summary has not been written yet.')).toBeVisible();
    await scan(page, page.url());
  }
});

test('what is a member’s already is not sold again', async ({ page }) => {
  await newMember(page);
  await page.goto('/download-pdf-or/the-prince/Any%20words');
  await expect(page.getByText('counts as one of your free summaries')).toBeVisible();
  await expect(page.getByText('The Prince', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'PDF', exact: true })).toHaveAttribute('href', '/payment/book-the-prince');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PDF' }).click();
  await coming;
  await page.goto('/download-pdf-or/the-prince/Any%20words');
  await expect(page.getByText('You already own the PDF of this summary.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'PDF', exact: true })).toBeHidden();
  await expect(page.getByText('Any words')).toBeHidden();
  await scan(page, page.url());
});

test('the package is chosen: the PDF of a book, or everything', async ({ page }) => {
  await page.goto('/download-pdf-or/walden/Another%20title');
  await expect(page.getByRole('heading', { level: 1, name: 'Choose your package' })).toBeVisible();
  await expect(page.getByText('The summary of “Walden” as a print-ready PDF')).toBeVisible();
  await expect(page.getByRole('link', { name: 'PDF', exact: true })).toHaveAttribute('href', '/payment/book-walden');
  await expect(page.getByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', '/try?redirect=%2Fbooks%2Fwalden');
  await scan(page, page.url());
  await signInAs(page, 'paid');
  await page.goto('/download-pdf-or/walden/Walden');
  await expect(page.getByRole('link', { name: 'Download PDF' })).toHaveAttribute('href', '/download-pdf/walden/Walden');
});

/** Fails with what the standard's checker has to say against a file. */
async function keepsTheStandard(name: string, epub: Uint8Array) {
  const { valid, messages } = await EpubCheck.validate(epub);
  expect(
    messages.filter(({ severity }) => severity !== 'info' && severity !== 'usage'),
    name,
  ).toEqual([]);
  expect(valid, name).toBe(true);
}

test('the EPUB from the reader keeps the standard', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/books/meditations');
  await ready(page);
  await page.getByRole('button', { name: 'Options' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'EPUB' }).click();
  await keepsTheStandard('meditations', new Uint8Array(await bytesOf(await coming)));
});

test('the EPUB of every book keeps the standard', async ({ page }) => {
  test.slow();
  await signInAs(page, 'paid');
  const headers = { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token') ?? '')}` };
  const folder = path.join(import.meta.dirname, '../../../apps/server/seed/books');
  const books = (await readdir(folder, { recursive: true })).filter((file) => path.basename(file) === 'body.html').map(path.dirname);
  expect(books.length).toBeGreaterThanOrEqual(24);
  for (const book of books) {
    const answer = await page.request.get(`/api/books/download-epub/${book}`, { headers });
    expect(answer.status(), book).toBe(200);
    await keepsTheStandard(book, new Uint8Array(await answer.body()));
  }
});

test('a member without a plan is led to the plans from the e-reader pages', async ({ page }) => {
  await newMember(page);
  for (const address of ['/set-kindle', '/send-to-kindle', '/send-to-kindle/walden']) {
    await page.goto(address);
    await expect(page.getByRole('main').getByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', `/try?redirect=${encodeURIComponent(address)}`);
    await scan(page, page.url());
  }
});

test('a Kindle’s address is set, a book is sent, and the log lists it', async ({ page, quiet }) => {
  quiet.allow(/status of 422/);
  await signInAs(page, 'editor');
  await page.goto('/send-to-kindle/on-liberty');
  await expect(page.getByRole('heading', { level: 2, name: 'What is your Kindle’s email address?' })).toBeVisible();
  await scan(page, page.url());
  await page.getByRole('link', { name: 'Set your Kindle’s address' }).click();
  await expect(page).toHaveURL('/set-kindle?book=on-liberty');

  // Nothing, and nonsense.
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please complete the form.' })).toBeVisible();
  await expect(page.getByLabel('Kindle email')).toBeFocused();
  await page.getByLabel('Kindle email').fill('no address');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please specify a valid email address.' })).toBeVisible();
  await scan(page, page.url());

  await page.getByLabel('Kindle email').fill('edith_7');
  await expect(page.getByLabel('Domain').getByRole('option')).toHaveText(['@kindle.com', '@free.kindle.com', '@kindle.cn', '@kindle.ca', '@kindle.it']);
  await page.getByLabel('Domain').selectOption('kindle.ca');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Successful set your kindle email.')).toBeVisible();
  await expect(page.getByText('no-reply@localhost')).toBeVisible();
  await scan(page, page.url());

  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/send-to-kindle/on-liberty');
  await expect(page.getByText('edith_7@kindle.ca')).toBeVisible();
  await expect(page.getByRole('main').getByText('On Liberty', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send this summary' }).click();
  await expect(page.getByRole('button', { name: 'Sent' })).toBeFocused();
  const log = page.getByRole('region', { name: 'Sent to your Kindle' });
  await expect(log.getByRole('listitem').filter({ hasText: 'On Liberty' })).toContainText('Sent', { timeout: 60_000 });
  await scan(page, page.url());
  const [mail] = await mailsWith('on-liberty.epub');
  expect(mail).toContain('To: edith_7@kindle.ca');

  // Asked for a book where the address names none.
  await page.getByRole('link', { name: 'Another book' }).click();
  await page.getByLabel('Title or author').fill('thoreau');
  await page.getByRole('button', { name: 'Send Walden' }).click();
  await expect(page.getByRole('status').filter({ hasText: '“Walden” is on its way.' })).toBeVisible();
  await expect(log.getByRole('listitem').filter({ hasText: 'Walden' })).toContainText('Sent', { timeout: 60_000 });
  // Books beyond the first few, without typing.
  await page.getByLabel('Title or author').fill('');
  const choice = page.getByRole('region', { name: 'Which book?' });
  const few = await choice.getByRole('listitem').count();
  await choice.getByRole('button', { name: 'Show more books' }).click();
  await expect.poll(() => choice.getByRole('listitem').count()).toBeGreaterThan(few);
  // It is kept over a reload.
  await page.reload();
  await expect(log.getByRole('listitem')).toHaveCount(2);
});

test('a refused clipboard shows an error', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.addInitScript(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new DOMException('No.', 'NotAllowedError')) });
  });
  await page.goto('/set-kindle');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Could not copy. Select the address instead.')).toBeVisible();
});

test('what failed says why, and is tried again by a press', async ({ page }) => {
  await signInAs(page, 'admin');
  const kindle = {
    status: 'ok',
    kindleEmail: 'ada@kindle.com',
    result: { kindleEmail: 'ada@kindle.com', name: 'ada', domain: 'kindle.com', domains: ['kindle.com'], sender: 'books@pith.example' },
  };
  const delivery = (state: string, why: string | null) => ({
    id: 1,
    book: { id: 1, subid: 'walden', title: 'Walden', author: 'Henry David Thoreau' },
    state,
    why,
    at: Date.now() - 60_000,
    endedAt: state === 'queued' ? null : Date.now(),
  });
  let state = 'failed';
  await page.route('**/api/kindle/has-kindle', (route) => route.fulfill({ json: kindle }));
  await page.route('**/api/kindle/deliveries*', (route) =>
    route.fulfill({ json: { status: 'ok', result: { deliveries: [delivery(state, state === 'failed' ? 'The mailbox is full.' : null)], next: null } } }),
  );
  await page.route('**/api/kindle/deliveries/1/retry', (route) => {
    state = 'queued';
    return route.fulfill({ json: { status: 'ok', result: { delivery: 1 } } });
  });
  await page.goto('/send-to-kindle');
  const log = page.getByRole('region', { name: 'Sent to your Kindle' });
  await expect(log.getByText('The mailbox is full.')).toBeVisible();
  await ready(page);
  await scan(page, page.url());
  await log.getByRole('button', { name: 'Try again: Walden' }).click();
  await expect(log.getByText('Queued', { exact: true })).toBeVisible();
  state = 'sent';
  await expect(log.getByText('Sent', { exact: true })).toBeVisible();
});
