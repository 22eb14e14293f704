// The summariser on the real server: a pasted text, a file, one that fails, and the list of what was made.
import type { Page } from '@playwright/test';
import { scan, scanEverywhere } from '../harness/axe';
import { signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and what is half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const TEXT = `Simplicity

Most of the luxuries of life are hindrances to the elevation of mankind. A man is rich in proportion to the number of things which he can afford to let alone. Our life is frittered away by detail. An honest man has hardly need to count more than his ten fingers, or in extreme cases he may add his ten toes, and lump the rest.

Work

The cost of a thing is the amount of life which is required to be exchanged for it. Most men lead lives of quiet desperation. It is never too late to give up our prejudices. I learned this by my experiment: if one advances confidently in the direction of his dreams, he will meet with a success unexpected in common hours.`;

async function upload(page: Page, name: string, content: string): Promise<void> {
  await page.goto('/ai');
  await page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  await page.getByRole('button', { name: 'Summarize' }).click();
}

test('a pasted text becomes ideas whose passages are marked in the source beside them', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/ai');
  await page.getByLabel('Link', { exact: true }).fill('https://example.com');
  await page.getByLabel('Text', { exact: true }).fill(TEXT);
  await expect(page.getByLabel('Link', { exact: true })).toHaveValue('');
  await page.getByRole('button', { name: 'Summarize' }).click();
  const first = page.getByRole('button', { name: 'Passage 1 in the source' });
  await expect(first).toBeVisible();
  await scan(page, '/ai/{id}');
  // A wide screen has the source beside the text.
  await page.setViewportSize({ width: 1440, height: 900 });
  await first.click();
  const lit = page.getByRole('complementary', { name: 'Source' }).locator('mark.passage--shown');
  await expect(lit).toBeInViewport();
  expect(TEXT).toContain((await lit.textContent()) ?? '');
  // A phone opens it over the text.
  await page.setViewportSize({ width: 390, height: 844 });
  await first.click();
  await expect(page.getByRole('dialog', { name: 'From the source' }).locator('mark.passage--shown')).toBeInViewport();
  await scan(page, '/ai/{id} with its source');
});

test('its ideas are highlighted as books are, and the citations stay', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/ai');
  await page.getByLabel('Text', { exact: true }).fill(TEXT);
  await page.getByRole('button', { name: 'Summarize' }).click();
  const cite = page.getByRole('button', { name: 'Passage 1 in the source' });
  await expect(cite).toBeVisible();
  const idea = page.locator('.idea__text');
  await page.keyboard.press('h');
  await expect(idea.locator('mark.highlight-cursor').first()).toBeVisible();
  await page.keyboard.press('2');
  await expect(idea.locator('mark.highlight--leaf').first()).toBeVisible();
  const words = (await idea.locator('mark.highlight--leaf').allInnerTexts()).join('');
  // What React draws around the marks goes on working.
  await cite.click();
  await expect(idea.locator('.idea__cited--shown')).toBeVisible();
  await expect(idea.locator('mark.highlight--leaf').first()).toBeVisible();
  await page.goto('/highlights');
  await page.getByRole('link', { name: 'Key idea 1' }).first().click();
  await expect(page.locator('mark[data-highlight]:focus')).toBeVisible();
  expect((await idea.locator('mark.highlight--leaf').allInnerTexts()).join('')).toBe(words);
});

test('a file is read and in the list until it is deleted; another one is refused at its field and leaves nothing', async ({ page, quiet }) => {
  quiet.allow(/status of 415/);
  await signInAs(page, 'paid');
  await upload(
    page,
    'walden.html',
    `<html><head><title>On Walden Pond</title></head><body><article><h1>On Walden Pond</h1><p>${TEXT}</p></article></body></html>`,
  );
  await expect(page.getByRole('heading', { level: 1, name: 'On Walden Pond' })).toBeVisible();
  await upload(page, 'photo.png', '\u0089PNG\r\n\u001a\n0000');
  await expect(page.getByRole('alert')).toContainText('We can read PDF, EPUB, Word (DOCX), HTML, Markdown and text files.');
  await expect(page.getByLabel('File', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('region', { name: 'Your summaries' }).getByRole('link', { name: 'On Walden Pond' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your summaries' }).getByText('photo')).toHaveCount(0);
  await scanEverywhere(page, '/ai');
  await page.getByRole('searchbox', { name: 'Search' }).fill('walden luxuries');
  const rows = page.getByRole('region', { name: 'Your summaries' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Rename On Walden Pond' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('My Walden');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'My Walden' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete My Walden' }).click();
  await expect(page.getByRole('link', { name: 'My Walden' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: 'My Walden' })).toBeVisible();
});

test('a member without a plan is led to the plans', async ({ page }) => {
  await signInAs(page, 'free');
  await page.goto('/ai');
  await page.waitForURL('**/pricing**');
  await expect(page.getByText('Please upgrade to have your own pages and files summarized.')).toBeVisible();
});
