import type { Page } from '@playwright/test';
import { signInAs } from './people';

/** Opens the form of a new post as an editor, and fills in what it must have; the text has the focus. */
export async function startPost(page: Page, { title, text }: { title: string; text: string }): Promise<void> {
  await signInAs(page, 'editor');
  await page.goto('/admin/blog-add');
  await page.getByLabel('Title*').fill(title);
  await page.getByLabel('Description*').fill('In one line.');
  await page.getByRole('combobox', { name: 'Categories*' }).fill('Thoughts');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Text*' }).click();
  await page.keyboard.type(text);
}

/** The path of a published post. */
export const pathOfPost = (title: string): string => `/blog/${title.toLowerCase().replaceAll(' ', '-')}`;
