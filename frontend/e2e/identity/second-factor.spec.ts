import type { Browser, Page } from '@playwright/test';
import { newMember, PASSWORD } from '../harness/people';
import { nextTotpCode, totpCode } from '../harness/totp';
import { expect, test } from '../harness/watch';

/** A member whose account asks for a code: set up through the calls that the account page makes. */
async function protectedMember(page: Page): Promise<{ email: string; secret: string; recoveryCodes: string[] }> {
  const email = await newMember(page);
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
  const headers = { Authorization: `Bearer ${token}`, Origin: new URL(page.url()).origin };
  const begun = await page.request.post('/api/user/totp', { headers, data: { currentPassword: PASSWORD } });
  const { secret } = ((await begun.json()) as { result: { secret: string } }).result;
  const done = await page.request.put('/api/user/totp', { headers, data: { code: totpCode(secret) } });
  expect(done.status()).toBe(200);
  const { recoveryCodes } = ((await done.json()) as { result: { recoveryCodes: string[] } }).result;
  return { email, secret, recoveryCodes };
}

async function toSecondStep(browser: Browser, email: string, address = '/login'): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeFocused();
  return page;
}

test('after the password comes the code of the app, and then the page that was wanted', async ({ page, browser }) => {
  const { email, secret } = await protectedMember(page);
  const other = await toSecondStep(browser, email, '/login?redirect=%2Flibrary');
  expect(await other.evaluate(() => localStorage.getItem('token'))).toBeNull();

  await other.getByLabel('Code').fill('000000');
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other.getByRole('alert')).toBeVisible();
  await expect(other.getByLabel('Code')).toBeFocused();

  // The phone was locked meanwhile, and the page was dropped and loaded again.
  await other.reload();
  await expect(other.getByRole('heading', { name: 'One more step' })).toBeVisible();
  // The code that set it up is spent: the app shows the next one in a moment, and the server takes that already.
  await other.getByLabel('Code').fill(nextTotpCode(secret));
  await other.keyboard.press('Enter');
  await expect(other).toHaveURL(/\/library$/);
  await other.context().close();
});

test('a recovery code takes the place of the app, once', async ({ page, browser, quiet }) => {
  quiet.allow(/status of 40[03]/);
  const { email, recoveryCodes } = await protectedMember(page);
  const [code = ''] = recoveryCodes;
  const other = await toSecondStep(browser, email);
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(other.getByRole('heading', { name: 'Use a recovery code' })).toBeFocused();
  await other.getByLabel('Recovery code').fill(code);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other).toHaveURL(/\/home$/);
  await other.context().close();

  const again = await toSecondStep(browser, email);
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByLabel('Recovery code').fill(code);
  await again.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(again.getByRole('alert')).toBeVisible();
  await again.getByRole('button', { name: 'Start again' }).click();
  await expect(again.getByRole('heading', { name: 'Welcome back' })).toBeFocused();
  await again.context().close();
});
