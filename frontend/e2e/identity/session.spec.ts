import { ready } from '../harness/axe';
import { logIn, newMember } from '../harness/people';
import { expect, test } from '../harness/watch';

const REFUSED = /status of 401/;

test('a visitor on a member\u2019s page is sent to sign up, and comes back', async ({ page }) => {
  await page.goto('/my-progress?from=mail');
  await expect(page).toHaveURL('/signup?redirect=%2Fmy-progress%3Ffrom%3Dmail');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  // The form for signing up has an email too: what is typed before the other form stands is typed there.
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await page.getByLabel('Email').fill('free@example.com');
  await page.getByLabel('Password', { exact: true }).fill('pith-demo-2026');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL('/my-progress?from=mail');
});

test('a redirect to another site is ignored', async ({ page }) => {
  await page.goto('/login?redirect=https%3A%2F%2Fevil.example%2F');
  await page.getByLabel('Email').fill('paid@example.com');
  await page.getByLabel('Password', { exact: true }).fill('pith-demo-2026');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/localhost:\d+\/(home|choose-categories\/new)$/);
});

test('wrong credentials show a warning and keep the typed address', async ({ page, quiet }) => {
  quiet.allow(/status of 400/);
  await page.goto('/login');
  await page.getByLabel('Email').fill('free@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The email or password is not correct.');
  await expect(page.getByLabel('Email')).toHaveValue('free@example.com');
});

test('a token that the server no longer takes is renewed unnoticed', async ({ page, quiet }) => {
  quiet.allow(REFUSED);
  await newMember(page);
  let refreshes = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/refresh-token')) refreshes++;
  });
  await page.evaluate(() => localStorage.setItem('token', 'expired'));
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
  expect(refreshes).toBe(1);
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBe('expired');
});

test('a token that is older than an hour is renewed before the page decides', async ({ page }) => {
  await newMember(page);
  await page.evaluate(() => localStorage.setItem('tokenDate', '1'));
  await page.goto('/library');
  await expect(page).toHaveURL(/\/library$/);
  await expect.poll(() => page.evaluate(() => Number(localStorage.getItem('tokenDate')))).toBeGreaterThan(1);
  await expect(page).toHaveURL(/\/library$/);
});

test('a session that is over leads to the login page, and a public page goes on as a visitor', async ({ page, context, quiet }) => {
  quiet.allow(REFUSED);
  await newMember(page);
  await context.clearCookies();
  await page.evaluate(() => localStorage.setItem('token', 'expired'));
  await page.goto('/books');
  await expect(page.getByRole('link', { name: 'Log in', exact: true }).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();

  await logIn(page, 'paid@example.com');
  await page.goto('/library');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await ready(page);
  await context.clearCookies();
  await page.evaluate(() => localStorage.setItem('token', 'expired'));
  // The menu asks who is here, for the way to the back office.
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=%2Flibrary/);
});

test('a logout in one tab is heard in the other', async ({ page, context }) => {
  await newMember(page);
  await page.goto('/home');
  const other = await context.newPage();
  await other.goto('/home');
  await expect(other.getByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
  await ready(page);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('navigation', { name: 'Your account' }).getByRole('link', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL('/');
  await expect(other).toHaveURL(/\/login\?redirect=%2Fhome/);
});
