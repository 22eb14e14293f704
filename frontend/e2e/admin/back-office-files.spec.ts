import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import { ready, scanEverywhere } from '../harness/axe';
import { signInAs } from '../harness/people';
import { pathOfPost, startPost } from '../harness/posts';
import { expect, test } from '../harness/watch';

/** A photograph, made by the browser. */
async function photo(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 1_600;
    canvas.height = 900;
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = 'teal';
      context.fillRect(0, 0, 1_600, 900);
    }
    return canvas.toDataURL('image/jpeg');
  });
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(url.split(',')[1] ?? '', 'base64') };
}

async function upload(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(await photo(page));
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText('The photo was uploaded.')).toBeVisible();
}

test('a goal gets its pictures, and a visitor sees them in the challenge', async ({ page, browser }) => {
  await signInAs(page, 'editor');
  await page.goto('/admin/goals');
  await page.getByRole('link', { name: 'Featured photo: Stay calm and steady' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Featured photo: Stay calm and steady' })).toBeVisible();
  await upload(page);
  await ready(page);
  await scanEverywhere(page, 'the upload of a photo');

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto('/ten-day-challenge');
  await visitor.getByRole('button', { name: 'Start the Challenge' }).click();
  const card = visitor.locator('label', { hasText: 'Stay calm and steady' });
  await expect(card.locator('img')).toHaveJSProperty('complete', true);
  await expect.poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\.320\.webp$/);
  await visitor.context().close();
});

test('a visual is added, gets its photo, is moved and deleted; a deletion is taken back', async ({ page }) => {
  const title = `Idea ${Math.random().toString(36).slice(2, 8)}`;
  await signInAs(page, 'editor');
  await page.goto('/admin/visuals-add');
  await page.getByRole('button', { name: 'Add visual' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please specify Book ID.');
  await page.getByRole('combobox', { name: 'Book ID*' }).fill('walden');
  await page
    .getByRole('option', { name: /^Walden/ })
    .first()
    .click();
  await page.getByLabel('Title*').fill(title);
  await page.getByLabel('Body*').fill('Own less, and own it wholly.');
  await page.getByRole('button', { name: 'Add visual' }).click();
  await expect(page.getByText('The visual was added.')).toBeVisible();
  await page.getByRole('link', { name: 'Upload its photo' }).click();
  await expect(page.getByText('There is no file yet.')).toBeVisible();
  await upload(page);

  await page.goto(`/admin/visuals?q=${encodeURIComponent(title)}`);
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible();
  await ready(page);
  await scanEverywhere(page, 'the visuals');
  // The scan leaves the screen as narrow as a phone's, which has no room for the columns of moving and deleting.
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole('button', { name: `Move ${title} down` })).toBeDisabled();
  await page.getByRole('button', { name: `Move ${title} up` }).click();
  await expect(page.getByRole('button', { name: `Move ${title} down` })).toBeEnabled();
  await page.getByRole('button', { name: `Delete ${title}` }).click();
  await expect(page.getByRole('link', { name: title, exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible();
  await page.goto('/admin/visuals-photo/0');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
});

test('a picture is added to a post and described again, and visitors see it', async ({ page, browser }) => {
  const title = `A Hut of ${Math.random().toString(36).slice(2, 8)}`;
  await startPost(page, { title, text: 'It stood by a pond.' });
  const text = page.getByRole('textbox', { name: 'Text*' });
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(await photo(page));
  await dialog.getByLabel('Description').fill('A hut');
  await ready(page);
  await scanEverywhere(page, 'the dialog of a picture');
  await dialog.getByRole('button', { name: 'Add the picture' }).click();
  const picture = text.getByRole('img', { name: 'A hut' });
  await expect(picture).toBeVisible();
  // What is typed on stands below it.
  await expect(text).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('It is gone.');
  await expect(text.locator('p').last()).toHaveText('It is gone.');
  await page.getByRole('button', { name: 'Add post' }).click();
  await expect(page.getByText('The post has been added.')).toBeVisible();

  const visitor = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await visitor.goto(pathOfPost(title));
  // What the server wrote is replaced when the app starts.
  await ready(visitor);
  const shown = visitor.locator('.post__text img');
  await shown.scrollIntoViewIfNeeded();
  await expect(shown).toHaveJSProperty('complete', true);
  await expect(shown).toHaveJSProperty('naturalWidth', 1_280);
  await expect.poll(async () => (await shown.boundingBox())?.width).toBe(350);
  await expect(shown).toHaveAttribute('alt', 'A hut');

  await page.getByRole('link', { name: 'Edit it' }).click();
  await picture.click();
  await page.getByRole('button', { name: 'Picture', exact: true, pressed: true }).click();
  await expect(page.getByRole('dialog', { name: 'Change the picture' }).getByLabel('Description')).toHaveValue('A hut');
  await dialog.getByLabel('Description').fill('A hut by a pond');
  await dialog.getByRole('button', { name: 'Change the picture' }).click();
  await page.getByRole('button', { name: 'Update post' }).click();
  await expect(page.getByText('The post has been updated.')).toBeVisible();
  await visitor.reload();
  await expect(shown).toHaveAttribute('alt', 'A hut by a pond');
  await visitor.context().close();
});
