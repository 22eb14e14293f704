// A program of a member's own: a token is created on its page, works for calls of study, and ends with its deletion.
import { request } from '@playwright/test';
import { scanEverywhere } from './harness/axe';
import { newMember } from './harness/people';
import { appReady } from './harness/ready';
import { expect, test } from './harness/watch';

/** The status of a call by a program that has nothing but the token. */
async function statusWith(token: string, origin: string): Promise<number> {
  const api = await request.newContext();
  try {
    return (await api.get(`${origin}/api/study/today`, { headers: { Authorization: `Bearer ${token}` } })).status();
  } finally {
    await api.dispose();
  }
}

test('a token works for a program until it is deleted (identity.api-tokens)', async ({ page }) => {
  await newMember(page);
  await page.goto('/api-tokens');
  await appReady(page);
  const { origin } = new URL(page.url());
  await expect(page.getByText('You have no tokens.')).toBeVisible();
  await expect(page.getByText(`${origin}/api/study/today`)).toBeVisible();

  await page.getByLabel('Name').fill('Due cards in the terminal');
  await page.getByRole('button', { name: 'Create token' }).click();
  const field = page.getByLabel('Token', { exact: true });
  await expect(field).toHaveValue(/^pat_/);
  const token = await field.inputValue();
  await scanEverywhere(page, 'a new token');
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await statusWith(token, origin)).toBe(200);

  // Its text is not shown again.
  await page.reload();
  const entry = page.getByRole('list', { name: 'Your tokens' }).getByRole('listitem');
  await expect(entry).toContainText('Last used on');
  await expect(field).toHaveCount(0);

  await entry.getByRole('button', { name: 'Delete Due cards in the terminal' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('You have no tokens.')).toBeVisible();
  expect(await statusWith(token, origin)).toBe(401);
});
