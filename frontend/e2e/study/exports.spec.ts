// Exports of what a member keeps, opened by other programs: SQLite for Anki's package, a Markdown renderer, a CSV parser.
import { createRequire } from 'node:module';
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import MarkdownIt from 'markdown-it';
import initSqlJs from 'sql.js';
import type { Database } from 'sql.js';
import { call, newMember } from '../harness/people';
import { expect, test } from '../harness/watch';
import { unzip } from '../harness/zip';
import type { Page } from '@playwright/test';

const WORDS = 'A <b>bold</b> question & a "quote": *why* [not](https://example.com)?';
const NOTE = '=1+1\n# not a heading\n- not a list';

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');

async function download(page: Page, format: string): Promise<Buffer> {
  const headers = { Authorization: `Bearer ${await tokenOf(page)}` };
  const response = await page.request.get(`/api/study/export?format=${format}`, { headers });
  expect(response.status()).toBe(200);
  return response.body();
}

/** The first file of a zip, as it is. */
function firstFile(zip: Buffer): Buffer {
  const [method, size, name, extra] = [zip.readUInt16LE(8), zip.readUInt32LE(18), zip.readUInt16LE(26), zip.readUInt16LE(28)];
  const data = zip.subarray(30 + name + extra, 30 + name + extra + size);
  return method === 0 ? data : inflateRawSync(data);
}

async function open(bytes: Buffer): Promise<Database> {
  const require = createRequire(import.meta.url);
  const SQL = await initSqlJs({ locateFile: (file) => require.resolve(`sql.js/dist/${file}`) });
  return new SQL.Database(bytes);
}

const rows = (database: Database, query: string) => database.exec(query)[0]?.values ?? [];

test('exports are read by other programs', async ({ page }) => {
  await newMember(page);
  const token = await tokenOf(page);
  const at = Date.now();
  const put = (path: string, body: unknown) => call(page.request, 'PUT', path, body, token);
  // A quote of a book may be highlighted by every member who may read it: here the member's own question stands for it.
  const own = (question: string, answer: string) => ({
    kind: 'own',
    content: { value: { question, answer }, at },
    createdAt: at,
  });
  await put('/api/study/cards/7', own(WORDS, NOTE));
  await put('/api/study/cards/8', own('Second?', 'Two.'));
  await put('/api/study/cards/9', { ...own('Paused?', 'Yes.'), paused: { value: true, at } });
  await call(page.request, 'POST', '/api/study/answers', { answers: [{ id: 1, cardId: 8, rating: 3, at }], sent: at, device: 'tests' }, token);
  await page.goto('/books/walden');
  await call(page.request, 'GET', '/api/books/walden', undefined, token);
  const anchor = { section: 0, start: 0, end: 5, exact: WORDS, prefix: '', suffix: '' };
  await put('/api/study/highlights/7', { bookId: 'walden', anchor, createdAt: at, note: { value: NOTE, at }, tags: [{ tag: 'Good habits', on: true, at }] });

  await test.step('Anki’s package is a SQLite database with the cards and their schedule', async () => {
    const database = await open(firstFile(await download(page, 'anki')));
    const notes = rows(database, 'SELECT flds FROM notes ORDER BY id').map(([fields]) => String(fields).split('\u001f'));
    expect(notes.map(([front]) => front)).toContain('A &lt;b&gt;bold&lt;/b&gt; question &amp; a &quot;quote&quot;: *why* &#91;not](https://example.com)?');
    expect(notes.map(([, back]) => back)).toContain('=1+1<br># not a heading<br>- not a list');
    expect(rows(database, 'SELECT queue, count(*) FROM cards GROUP BY queue ORDER BY queue')).toEqual([
      [-1, 1],
      [0, 1],
      [2, 1],
    ]);
    const [[data, interval] = []] = rows(database, 'SELECT data, ivl FROM cards WHERE queue = 2');
    const memory = JSON.parse(String(data)) as { s: number; d: number };
    expect(memory.s).toBeGreaterThan(1);
    expect(memory.d).toBeGreaterThanOrEqual(1);
    expect(interval).toBe(2);
    expect(rows(database, 'PRAGMA integrity_check')).toEqual([['ok']]);
    database.close();
  });

  await test.step('Markdown renders as quotation and note, whatever they say', async () => {
    const [text = ''] = [...unzip(await download(page, 'markdown')).values()];
    const [, , body = ''] = text.split(/^---$/m);
    const html = new MarkdownIt().render(body);
    const shown = html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    expect(html).toContain('<blockquote>');
    expect(shown).toContain(WORDS);
    for (const line of NOTE.split('\n')) expect(shown).toContain(line);
    expect(html).not.toContain('<li>');
    expect(html).not.toContain('href');
  });

  await test.step('CSV has Readwise’s columns', async () => {
    const [first, ...others] = parse<Record<string, string>>((await download(page, 'csv')).toString('utf8'), { bom: true, columns: true });
    expect(others).toEqual([]);
    expect(Object.keys(first ?? {})).toEqual(['Highlight', 'Title', 'Author', 'URL', 'Note', 'Location', 'Date']);
    expect(first).toMatchObject({ Highlight: WORDS, Title: 'Walden', Author: 'Henry David Thoreau' });
    // A spreadsheet would take it for a formula.
    expect(first?.['Note']).toBe(`'${NOTE}`);
  });
});
