import type { Page } from '@playwright/test';
import { mailTo, mailsTo } from '../harness/mails';
import { newAddress, newMember, register } from '../harness/people';
import { expect, test } from '../harness/watch';

const SUBJECT = /login link/i;

async function askForLink(page: Page, email: string, address = '/login') {
  await page.goto(address);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();
}

const linkOf = ({ links }: { links: string[] }) => links.find((address) => address.includes('/login-link')) ?? '';
const codeOf = ({ text }: { text: string }) => /^\s*(\d{3}\s?\d{3})\s*$/m.exec(text)?.[1] ?? '';

test('the mailed link logs in at the press of its button, once', async ({ page, browser, quiet }) => {
  quiet.allow(/status of 401/);
  const email = await newMember(page);
  const other = await (await browser.newContext()).newPage();
  await askForLink(other, email, '/login?redirect=%2Flibrary');
  const link = linkOf(await mailTo(email, SUBJECT));

  // A program that opens links, as mail scanners do, spends nothing.
  const scanner = await browser.newContext();
  const scan = await scanner.newPage();
  await scan.goto(link);
  await expect(scan.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await scanner.close();

  const traded: string[] = [];
  other.on('request', (request) => {
    if (request.url().endsWith('/session')) traded.push(`${request.method()} ${new URL(request.url()).pathname}`);
    expect(request.url()).not.toContain(new URL(link).hash.slice(1));
  });
  await other.goto(link);
  await expect(other.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect.poll(() => new URL(other.url()).hash).toBe('');
  expect(traded).toEqual([]);
  await other.reload();
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other).toHaveURL(/\/library$/);
  expect(traded).toEqual(['POST /api/user/login-link/session']);

  // Used once; the one who is signed in stays so.
  await other.goto(link);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other.getByRole('alert')).toContainText('This link has expired or was already used. Please ask for a new one.');
  await other.goto('/library');
  await expect(other).toHaveURL(/\/library$/);
  await other.context().close();
});

test('the six digits log in where the link was asked for', async ({ page, browser, quiet }) => {
  quiet.allow(/status of 400/);
  const email = await newMember(page);
  const other = await (await browser.newContext()).newPage();
  await askForLink(other, email, '/login?redirect=%2Fmy-progress');
  const code = codeOf(await mailTo(email, SUBJECT));
  expect(code.replace(/\s/g, '')).toMatch(/^\d{6}$/);

  // The mail is read in another app meanwhile, and the page comes back from sleep.
  await other.reload();
  const wrong = code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  await other.getByLabel('Code').fill(wrong);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other.getByRole('alert')).toBeVisible();
  await expect(other.getByLabel('Code')).toBeFocused();
  await other.getByLabel('Code').fill(code);
  await other.keyboard.press('Enter');
  await expect(other).toHaveURL(/\/my-progress$/);
  await other.context().close();
});

test('the link logs in its own account, even where another account is signed in', async ({ page, browser }) => {
  const email = await newMember(page);
  const context = await browser.newContext();
  const other = await context.newPage();
  await askForLink(other, email);
  const link = linkOf(await mailTo(email, SUBJECT));
  await newMember(other);
  await other.goto(link);
  await expect(other.getByText('You are logged in here already.')).toBeVisible();
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other).toHaveURL(/\/home$/);
  await other.goto('/account');
  await expect(other.getByText(email).first()).toBeVisible();
  await context.close();
});

test('a request for a link does not reveal whether an address has an account', async ({ page, quiet }) => {
  quiet.allow(/status of 400/);
  const unknown = newAddress();
  await askForLink(page, unknown);
  await page.getByLabel('Code').fill('123456');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  // Another mail that comes afterwards shows that this one would have come too.
  const known = await register();
  await mailTo(known, /confirm your address/i);
  expect(await mailsTo(unknown)).toEqual([]);
});

test('back from the code leads to the password again, with the address kept', async ({ page }) => {
  await askForLink(page, 'free@example.com', '/login?redirect=%2Flibrary');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('free@example.com');
  await page.getByLabel('Password', { exact: true }).fill('pith-demo-2026');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/library$/);
});
