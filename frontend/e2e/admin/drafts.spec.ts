import { ready, scanEverywhere } from '../harness/axe';
import { logIn } from '../harness/people';
import { expect, test } from '../harness/watch';

const titled = (what: string) => `${what} ${Math.random().toString(36).slice(2, 8)}`;

test('what is typed survives a reload and an ended session, and is offered back', async ({ page }) => {
  const title = titled('A draft');
  await logIn(page, 'editor@example.com');
  await page.goto('/admin/blog-add');
  await page.getByLabel('Title*').fill(title);
  const text = page.getByRole('textbox', { name: 'Text*' });
  await text.click();
  await page.keyboard.type('The first thought.');
  // Without the second that a draft takes: leaving the page stores it.
  await page.reload();
  const offer = page.getByText(/^You have unsaved changes from /);
  await expect(offer).toBeVisible();
  await expect(page.getByLabel('Title*')).toHaveValue('');
  await ready(page);
  await scanEverywhere(page, 'an offered draft');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByLabel('Title*')).toHaveValue(title);
  await expect(text).toHaveText('The first thought.');
  await expect(offer).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Description*' }).fill('Thought on.');
  await expect(page.getByText('Not saved · Draft kept on this device')).toBeVisible();

  // The session ends; another account at this browser is offered nothing, the editor everything.
  await page.evaluate(() => localStorage.removeItem('token'));
  // Not the shared session: the next login ends the one whose cookie is sent with it.
  await logIn(page, 'admin@example.com');
  await page.goto('/admin/blog-add');
  await expect(page.getByLabel('Title*')).toBeVisible();
  await expect(offer).toHaveCount(0);
  await logIn(page, 'editor@example.com');
  await page.goto('/admin/blog-add');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('textbox', { name: 'Description*' })).toHaveValue('Thought on.');
  await expect(page.getByLabel('Title*')).toHaveValue(title);

  // A logout removes it.
  await page.goto('/logout');
  await expect(page).not.toHaveURL(/logout/);
  await logIn(page, 'editor@example.com');
  await page.goto('/admin/blog-add');
  await expect(page.getByLabel('Title*')).toBeVisible();
  await expect(offer).toHaveCount(0);
});
