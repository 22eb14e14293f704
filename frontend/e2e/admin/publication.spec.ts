import { ready, scanEverywhere } from '../harness/axe';
import { pathOfPost, startPost } from '../harness/posts';
import { expect, test } from '../harness/watch';

test('a post goes from a draft, previewed and scheduled, to what visitors read', async ({ page, browser, quiet }) => {
  quiet.allow(/status of 404/);
  const title = `A Thought of ${Math.random().toString(36).slice(2, 8)}`;
  await startPost(page, { title, text: 'Slowly is soon enough.' });
  await page.getByLabel('Status*').selectOption('Draft');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('article', { name: 'Preview of the post' });
  await expect(preview).toContainText('Slowly is soon enough.');
  await page.getByText('Phone', { exact: true }).click();
  await ready(page);
  await scanEverywhere(page, 'the preview of a post');
  await page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Add post' }).click();
  await expect(page.getByText('The post has been added.')).toBeVisible();

  const visitor = await browser.newPage();
  const address = pathOfPost(title);
  expect((await visitor.goto(address))?.status()).toBe(404);

  await page.getByRole('link', { name: 'Edit it' }).click();
  await expect(page.getByRole('link', { name: 'See it on the site' })).toHaveCount(0);
  await page.getByLabel('Status*').selectOption('Scheduled');
  await page.getByLabel('Published at*').fill('2099-01-02T09:30');
  await page.getByRole('button', { name: 'Update post' }).click();
  await expect(page.getByText('The post has been updated.')).toBeVisible();
  expect((await visitor.goto(address))?.status()).toBe(404);
  await page.goto('/admin/blog-list');
  await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('From');

  // A moment that is past is now.
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByLabel('Published at*').fill('2026-01-02T09:30');
  await page.getByRole('button', { name: 'Update post' }).click();
  await expect(page.getByText('The post has been updated.')).toBeVisible();
  await expect(page.getByLabel('Status*')).toHaveValue('published');
  expect((await visitor.goto(address))?.status()).toBe(200);
  await expect(visitor.getByText('Slowly is soon enough.')).toBeVisible();
  await visitor.close();

  // Each version is among the revisions.
  await page.getByRole('link', { name: 'Revisions' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Revisions of ${title}` })).toBeVisible();
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(4);
});
