// Signing in with providers, against real ones out of packages (support/providers.mjs). What only a lying provider does
// is in the server's own tests (apps/server/tests/providers.rs).
import type { Page } from '@playwright/test';
import { newAddress, newMember, PASSWORD } from '../harness/people';
import { expect, test } from '../harness/watch';

const OVER = 'This login took too long or was already used. Please try again.';
const alert = (page: Page) => page.getByRole('alert');

// What the providers' own pages lack.
test.beforeEach(({ quiet }) => quiet.allow(/fonts\.googleapis\.com|favicon\.ico/));

/** Sets out for a provider from the login page. */
async function setOut(page: Page, name: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: `Log in with ${name}` }).click();
}

/** Picks one of emulate's people. */
async function pick(page: Page, person: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${person}@example\\.com`) }).click();
}

/** Signs in at oidc-provider, and consents. */
async function consent(page: Page, login: string): Promise<void> {
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill('anything');
  await page.getByRole('button', { name: /sign-in/i }).click();
  await page.getByRole('button', { name: /continue/i }).click();
}

/** Waits for the end of a sign-in, and asks who came in. */
async function whoIsIn(page: Page): Promise<Record<string, unknown>> {
  const isHere = (url: URL) => url.port === process.env['E2E_PORT'] && !/^\/(login|goback)/.test(url.pathname);
  await page.waitForURL(isHere);
  const answer = await page.evaluate(async () => {
    const response = await fetch('/api/user/account', { headers: { authorization: `Bearer ${localStorage.getItem('token') ?? ''}` } });
    return (await response.json()) as { result: { user: Record<string, unknown> } };
  });
  return answer.result.user;
}

/** An account with a password, made behind the page's back. */
async function register(page: Page, email: string): Promise<number> {
  const form = { username: email, password: PASSWORD, firstName: 'Ada', lastName: 'Reader' };
  const answer = await page.request.post('/api/user/register', { data: form });
  const { result } = (await answer.json()) as { result: { user: { id: number } } };
  await page.context().clearCookies();
  return result.user.id;
}

test('consent at Google leads to an account, and the next time to the same', async ({ page }) => {
  await setOut(page, 'Google');
  await pick(page, 'grace');
  const first = await whoIsIn(page);
  expect(first).toMatchObject({ email: 'grace@example.com', firstName: 'Grace', lastName: 'Reader', emailConfirmed: true, hasPassword: false });
  expect(page.url()).not.toMatch(/code=|state=|token=/);

  await page.goto('/logout');
  // Leaving before the answer would stop the logout.
  await expect(page).toHaveURL(/\/$/);
  await setOut(page, 'Google');
  await pick(page, 'grace');
  expect((await whoIsIn(page))['id']).toBe(first['id']);
});

test('consent at LinkedIn leads to an account', async ({ page }) => {
  const email = newAddress();
  await setOut(page, 'LinkedIn');
  await consent(page, email);
  expect(await whoIsIn(page)).toMatchObject({ email, firstName: 'Lin', lastName: 'Kedin', emailConfirmed: true });
});

test("Apple's form comes from another site, and the name with it", async ({ page }) => {
  await setOut(page, 'Apple');
  await pick(page, 'alan');
  expect(await whoIsIn(page)).toMatchObject({ email: 'alan@example.com', firstName: 'Alan', lastName: 'Reader' });
  expect(page.url()).not.toContain('token=');
});

test('a cancelled consent returns to the login page with instructions', async ({ page, quiet }) => {
  quiet.allow(/400/);
  await setOut(page, 'LinkedIn');
  await page.getByRole('link', { name: /cancel/i }).click();
  await expect(alert(page)).toHaveText(/You did not approve the login\. Please try again or use your password\./);
  await expect(page.getByLabel('Email')).toBeEditable();
});

test('a code that has expired is refused, and the next one is not', async ({ page, quiet }) => {
  quiet.allow(/400/);
  await setOut(page, 'LinkedIn');
  await consent(page, `late-${newAddress()}`);
  await expect(alert(page)).toContainText(OVER);
  await page.context().clearCookies();
  await setOut(page, 'LinkedIn');
  await consent(page, newAddress());
  await whoIsIn(page);
});

test('an address that a provider led back to is good once', async ({ page, quiet }) => {
  quiet.allow(/400/);
  let back = '';
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('/login?type=google')) back = request.url();
  });
  await setOut(page, 'Google');
  await pick(page, 'joan');
  await whoIsIn(page);
  expect(back).toContain('state=');
  await page.goto('/logout');
  // Leaving before the answer would stop the logout.
  await expect(page).toHaveURL(/\/$/);
  await page.goto(back);
  await expect(alert(page)).toContainText(OVER);
});

test('an answer in the name of another issuer is refused', async ({ page, quiet }) => {
  quiet.allow(/400/);
  let issuer: string | null = null;
  await page.route(/\/oauth\/callback\?/, async (route) => {
    const address = new URL(route.request().url());
    issuer = address.searchParams.get('iss');
    address.searchParams.set('iss', 'https://elsewhere.example');
    await route.continue({ url: address.href });
  });
  await setOut(page, 'LinkedIn');
  await consent(page, newAddress());
  await expect(alert(page)).toContainText(OVER);
  // The page had handed on whose answer it is.
  expect(issuer).toMatch(/^http:\/\/localhost:/);
});

test('a provider that is down leaves the page usable', async ({ page, quiet }) => {
  quiet.allow(/502/);
  await setOut(page, 'Facebook');
  await expect(alert(page)).toContainText('We could not reach Facebook. Please try again in a moment.');
  await page.getByRole('button', { name: 'Log in with Google' }).click();
  await pick(page, 'hedy');
  expect(await whoIsIn(page)).toMatchObject({ email: 'hedy@example.com' });
});

test('a verified address joins its account', async ({ page }) => {
  const id = await register(page, 'mary@example.com');
  await setOut(page, 'Google');
  await pick(page, 'mary');
  expect((await whoIsIn(page))['id']).toBe(id);
});

test('an address that is not verified joins nothing', async ({ page, quiet }) => {
  quiet.allow(/409/);
  const email = `unverified-${newAddress()}`;
  await register(page, email);
  await setOut(page, 'LinkedIn');
  await consent(page, email);
  await expect(alert(page)).toContainText('There is already an account with this address: log in with your password first, then connect it in your account.');
});

test('a member connects a provider under /account, and disconnects it', async ({ page }) => {
  await newMember(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect LinkedIn' }).click();
  await consent(page, newAddress());
  await expect(page).toHaveURL(/\/account/);
  await page.getByRole('button', { name: 'Disconnect LinkedIn' }).click();
  await expect(page.getByRole('button', { name: 'Connect LinkedIn' })).toBeVisible();
});
