// What a book has besides its text: an episode about it, and a drawing, in which nothing runs whatever its file says.
import { Buffer } from 'node:buffer';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ready, scanEverywhere } from './support/axe';
import { signInAs } from './support/people';
import { silence } from './support/recordings.mjs';
import { expect, test } from './support/watch';

const BOOK = 'notes-on-nursing';
const TITLE = 'Notes on Nursing';

/** A drawing that tries to run something in each way that an SVG has. What runs leaves a mark. */
const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" onload="document.documentElement.setAttribute('data-ran', 'handler')">
<script>document.documentElement.setAttribute('data-ran', 'script'); fetch('/ran-in-a-drawing')</script>
<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="x:" onerror="document.documentElement.setAttribute('data-ran', 'image')"/></foreignObject>
<image href="/ran-in-a-drawing"/><rect width="400" height="300" fill="teal"/></svg>`;

/** Uploads a file on a page of the back office. */
async function upload(page: Page, kind: 'vector' | 'podcast', id: number, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.goto(`/admin/book-${kind}/${id}`);
  await ready(page);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText(`The ${kind} was uploaded.`)).toBeVisible();
}

test('the episode about a book is heard from its title page, and its drawing is a picture in which nothing runs', async ({ page, browser }) => {
  test.slow();
  await signInAs(page, 'editor');
  const { result } = (await (await page.request.get(`/api/books/${BOOK}`)).json()) as { result: { book: { id: number } } };
  await upload(page, 'vector', result.book.id, { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(HOSTILE) });
  await upload(page, 'podcast', result.book.id, { name: 'episode.wav', mimeType: 'audio/wav', buffer: silence(60) });

  const member = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  member.on('request', (request) => asked.push(request.url()));
  await signInAs(member, 'paid');
  await member.goto(`/books/${BOOK}`);
  await ready(member);
  await member.getByRole('button', { name: 'Play the podcast' }).first().click();
  const player = member.getByRole('region', { name: 'Audio player' });
  await expect(player).toContainText(`Podcast: ${TITLE}`);
  await expect.poll(() => member.locator('audio').last().evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0.5);
  await member.getByRole('button', { name: 'Pause the podcast' }).first().click();
  await expect(member.getByRole('button', { name: 'Play the podcast' }).first()).toBeVisible();
  expect(await member.locator('audio').last().evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true);

  const drawing = member.getByRole('img', { name: `A drawing of what “${TITLE}” is about` }).first();
  await drawing.scrollIntoViewIfNeeded();
  await expect.poll(() => drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await scanEverywhere(member, 'the title page with an episode and a drawing');

  // The server has cleaned it. Should something ever pass, the browser still runs nothing: as a picture, and opened by itself.
  const address = (await drawing.getAttribute('src')) ?? '';
  const kept = await (await member.request.get(address)).text();
  expect(kept).toContain('<rect');
  expect(kept).not.toMatch(/script|onload|foreignObject|image/i);
  const file = path.join(process.env['E2E_HOME'] ?? '', address);
  await writeFile(file, HOSTILE);
  await rm(`${file}.br`, { force: true });
  await member.reload();
  await drawing.scrollIntoViewIfNeeded();
  await expect(drawing).toHaveJSProperty('complete', true);
  expect(await member.evaluate(() => document.documentElement.hasAttribute('data-ran'))).toBe(false);
  const opened = await member.goto(address);
  expect(await opened?.text()).toContain('<script>');
  expect(opened?.headers()['content-security-policy']).toContain('sandbox');
  await member.waitForLoadState();
  expect(await member.evaluate(() => document.documentElement.getAttribute('data-ran'))).toBeNull();
  expect(asked.filter((url) => url.includes('ran-in-a-drawing'))).toEqual([]);
  await member.context().close();
});
