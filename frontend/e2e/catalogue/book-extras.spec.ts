// What a book has besides its text: an episode about it, and a drawing. What would run something is removed from a drawing before it is stored.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import { ready, scan } from '../harness/axe';
import { signInAs } from '../harness/people';
import { silence } from '../harness/recordings.mjs';
import { expect, test } from '../harness/watch';

const BOOK = 'notes-on-nursing';
const TITLE = 'Notes on Nursing';

/** A drawing that tries to run something in each way that an SVG has. What runs leaves a mark. */
const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" onload="document.documentElement.setAttribute('data-ran', 'handler')">
<script>document.documentElement.setAttribute('data-ran', 'script'); fetch('/ran-in-a-drawing')</script>
<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="x:" onerror="document.documentElement.setAttribute('data-ran', 'image')"/></foreignObject>
<image href="/ran-in-a-drawing"/><rect width="400" height="300" fill="teal"/></svg>`;

/** Sends a file on a page of the back office. */
async function send(page: Page, kind: 'vector' | 'podcast', id: number, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.goto(`/admin/book-${kind}/${id}`);
  await ready(page);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload' }).click();
}

test('the episode about a book is heard from its title page, and what a drawing would run is removed', async ({ page, browser, quiet }) => {
  test.slow();
  quiet.allow(/status of 4\d\d/);
  await signInAs(page, 'editor');
  const { result } = (await (await page.request.get(`/api/books/${BOOK}`)).json()) as { result: { book: { id: number } } };
  const drawn = (svg: string) => ({ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  await page.goto(`/admin/book-vector/${result.book.id}`);
  await ready(page);
  await page.locator('input[type=file]').setInputFiles(drawn(HOSTILE));
  await expect.poll(() => page.getByRole('img', { name: 'The drawing as it is stored' }).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await expect(page.getByText('Removed, because it could run, load or link to something: foreignObject, image, onload, script.')).toBeVisible();
  await scan(page, 'a chosen drawing');
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText('The vector was uploaded.')).toBeVisible();
  await send(page, 'podcast', result.book.id, { name: 'episode.wav', mimeType: 'audio/wav', buffer: silence(60) });
  await expect(page.getByText('The podcast was uploaded.')).toBeVisible();

  const member = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  member.on('request', (request) => asked.push(request.url()));
  await signInAs(member, 'paid');
  await member.goto(`/books/${BOOK}`);
  await ready(member);
  await member.getByRole('button', { name: 'Play the podcast' }).first().click();
  const player = member.getByRole('region', { name: 'Audio player' });
  await expect(player).toContainText(`Podcast: ${TITLE}`);
  await expect
    .poll(() =>
      member
        .locator('audio')
        .last()
        .evaluate((audio: HTMLAudioElement) => audio.currentTime),
    )
    .toBeGreaterThan(0.5);
  await member.getByRole('button', { name: 'Pause the podcast' }).first().click();
  await expect(member.getByRole('button', { name: 'Play the podcast' }).first()).toBeVisible();
  expect(
    await member
      .locator('audio')
      .last()
      .evaluate((audio: HTMLAudioElement) => audio.paused),
  ).toBe(true);

  const drawing = member.getByRole('img', { name: `A drawing of what “${TITLE}” is about` }).first();
  const showDrawing = async () => {
    await member.getByRole('group', { name: 'Reader menu' }).getByRole('button', { name: 'Options' }).click();
    await drawing.scrollIntoViewIfNeeded();
  };
  await showDrawing();
  await expect.poll(() => drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await scan(member, 'the title page with an episode and a drawing');

  const address = (await drawing.getAttribute('src')) ?? '';
  const kept = await (await member.request.get(address)).text();
  expect(kept).toContain('<rect');
  expect(kept).not.toMatch(/script|onload|foreignObject|image/i);
  expect(await member.evaluate(() => document.documentElement.hasAttribute('data-ran'))).toBe(false);
  expect(asked.filter((url) => url.includes('ran-in-a-drawing'))).toEqual([]);
  await member.context().close();
});
