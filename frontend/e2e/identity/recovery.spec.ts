import type { Browser, Page } from '@playwright/test';
import { mailTo, mailsTo } from '../harness/mails';
import { logInByForm, newAddress, newMember, PASSWORD, register } from '../harness/people';
import { expect, test } from '../harness/watch';

const SENT = /^Please check your email for instructions on how to reset your password\. If you have any questions, please email us at \S+@\S+\.$/;
const NEW = 'a morning by the window';

/** Someone else's browser: nothing of this one is known there. */
async function elsewhere(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

async function askForReset(page: Page, email: string) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot password' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('status').filter({ hasText: SENT })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeHidden();
}

async function choose(page: Page, password: string, again = password) {
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm New Password').fill(again);
  await page.getByRole('button', { name: 'Reset Password' }).click();
}

test('the mailed link resets a forgotten password once, and every session ends', async ({ page, browser, quiet }) => {
  quiet.allow(/status of 4(00|01|22)/);
  const email = await newMember(page);
  const other = await elsewhere(browser);
  await askForReset(other, email);
  const { links } = await mailTo(email, /choose a new password/i);
  const link = links.find((address) => address.includes('/reset-password/')) ?? '';

  await other.goto(link);
  await choose(other, NEW, 'something else');
  await expect(other.getByRole('alert')).toContainText('The passwords do not match.');
  await choose(other, NEW);
  await expect(other.getByText('Your password was changed. You can now login.')).toBeVisible();
  await expect(other.getByRole('heading', { level: 1 })).toBeFocused();
  await other.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click();
  await expect(other).toHaveURL(/\/login$/);

  // Where the member was signed in before, the session is over.
  await page.goto('/library');
  await expect(page).toHaveURL(/\/(login|signup)\?redirect=%2Flibrary/);

  await logInByForm(other, email, NEW);
  await expect(other).toHaveURL(/\/home$/);

  // The link was good for once, and the old password is gone.
  await page.goto(link);
  await choose(page, 'yet another evening');
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used. Please ask for a new one.');
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The email or password is not correct.');
  await other.context().close();
});

test('the page does not reveal whether an address has an account', async ({ page }) => {
  const unknown = newAddress();
  await askForReset(page, unknown);
  // Another mail that comes afterwards shows that this one would have come too.
  const known = await register();
  await mailTo(known, /confirm your address/i);
  expect(await mailsTo(unknown)).toEqual([]);
});

test('an address is confirmed by a press, not by opening the link', async ({ page }) => {
  const email = await newMember(page);
  await page.goto('/home');
  await expect(page.getByText('Please confirm your email address')).toBeVisible();
  const { links } = await mailTo(email, /confirm your address/i);
  const link = links.find((address) => address.includes('/confirm-email#')) ?? '';

  await page.goto(link);
  await expect(page).toHaveURL(/\/confirm-email$/);
  await page.goto('/home');
  await expect(page.getByText('Please confirm your email address')).toBeVisible();

  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to My Home' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
  await expect(page.getByText('Please confirm your email address')).toBeHidden();
});

test('a new mail makes the old one worthless', async ({ page, quiet }) => {
  quiet.allow(/status of 400/);
  const email = await newMember(page);
  const first = await mailTo(email, /confirm your address/i);
  await page.goto('/home');
  await page.getByRole('button', { name: 'Send the email again' }).click();
  await expect(page.getByText(`The email is on its way to ${email}.`)).toBeVisible();
  await expect.poll(async () => (await mailsTo(email)).length, { timeout: 60_000 }).toBe(2);

  await page.goto(first.links.find((address) => address.includes('/confirm-email#')) ?? '');
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used. Please ask for a new one.');
  await page.getByRole('button', { name: 'Send the email again' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();
});

test('the keyboard is enough', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').focus();
  await page.keyboard.type('free@example.com');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused();
  const providers = ['Google', 'Apple', 'Facebook', 'LinkedIn'].map((name) => `Log in with ${name}`);
  for (const name of ['Log in', 'Send me a link', 'Log in with a passkey', ...providers]) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name, exact: true })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Forgot password' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: SENT })).toBeVisible();
});
