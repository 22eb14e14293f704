// A year of reading on the real server, and its picture.
import { readFile } from 'node:fs/promises';
import { ready, scanEverywhere } from '../harness/axe';
import { call, newMember } from '../harness/people';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and what is half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test('a completed summary stands in the member’s year, which is downloaded as a picture', async ({ page }) => {
  await newMember(page);
  await page.goto('/my-progress');
  await page.getByRole('link', { name: 'Your year' }).click();
  await expect(page.getByRole('heading', { name: /^Your \d{4} begins with the first summary$/ })).toBeVisible();

  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await call(page.request, 'PUT', '/api/user-book-history', { bookId: 'the-art-of-war', position: 99, completed: true }, token);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: /^\d{4} in reading$/ })).toBeVisible();
  const figures = page.getByRole('list', { name: 'At a glance' });
  await expect(figures).toContainText('1 summary completed');
  await expect(figures).toContainText('1 day of reading');
  await expect(page.getByRole('region', { name: 'What you read' }).getByRole('link', { name: /^The Art of War by/ })).toBeVisible();

  const picture = page.getByRole('region', { name: /^Your \d{4} as a picture$/ });
  await picture.scrollIntoViewIfNeeded();
  await expect(picture.getByRole('img', { name: /^\d{4} in reading: 1 summary completed, 1 day of reading\.$/ })).toBeVisible();
  await ready(page);
  await scanEverywhere(page, 'a year of reading');
  const downloading = page.waitForEvent('download');
  await picture.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^\d{4}-in-reading\.png$/);
  const file = await readFile(await download.path());
  expect(file.subarray(0, PNG_SIGNATURE.length)).toEqual(PNG_SIGNATURE);
});
