// Accounts and sessions, made through the API. The sign-up and sign-in forms are used where they are what is tested.
import { expect, request } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';

/** The password of the demo profile's accounts. */
export const DEMO_PASSWORD = 'pith-demo-2026';
/** The password of the accounts that tests make. */
export const PASSWORD = 'a long and quiet evening';

/** The accounts of the demo profile. */
export type Role = 'admin' | 'editor' | 'paid' | 'free' | 'regular';

type State = Awaited<ReturnType<APIRequestContext['storageState']>>;

interface Session {
  token: string;
  cookies: State['cookies'];
}

const origin = (): string => `http://localhost:${process.env['E2E_PORT'] ?? ''}`;

let made = 0;

/** An e-mail address without an account. */
export const newAddress = () => `reader-${process.pid}-${Date.now()}-${++made}@example.com`;

/** Calls the API; returns the `result`. */
export async function call<T>(api: APIRequestContext, method: 'GET' | 'POST' | 'PUT', path: string, data?: unknown, token?: string): Promise<T> {
  const headers = { Origin: origin(), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  const response = await api.fetch(origin() + path, { method, headers, ...(data !== undefined && { data }) });
  expect(response.ok(), `${method} ${path} responds with ${response.status()}`).toBe(true);
  return ((await response.json()) as { result: T }).result;
}

/** Puts the token where the app keeps it. The page is on an empty document of the site afterwards. */
async function storeToken(page: Page, token: string): Promise<void> {
  const empty = `${origin()}/empty-page-of-the-tests`;
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><link rel="icon" href="data:,"><title>Empty</title>' }));
  await page.goto(empty);
  await page.evaluate((token) => {
    localStorage.setItem('token', token);
    localStorage.setItem('tokenDate', String(Date.now()));
  }, token);
  await page.unroute(empty);
}

/** Signs in with a session of this page's own, which it may spoil or end. */
export async function logIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  const { token } = await call<{ token: string }>(page.request, 'POST', '/api/user/login', { username: email, password });
  await storeToken(page, token);
}

/** The sessions of the demo accounts, each begun once by this worker. */
const sessions = new Map<Role, Promise<Session>>();

async function begin(role: Role): Promise<Session> {
  const api = await request.newContext();
  try {
    const { token } = await call<{ token: string }>(api, 'POST', '/api/user/login', { username: `${role}@example.com`, password: DEMO_PASSWORD });
    return { token, cookies: (await api.storageState()).cookies };
  } finally {
    await api.dispose();
  }
}

/** Puts a demo account's session into this page, shared by this worker's tests: one that ends or renews it uses `logIn`. */
export async function signInAs(page: Page, role: Role): Promise<void> {
  const beginning = sessions.get(role) ?? begin(role);
  sessions.set(role, beginning);
  const { token, cookies } = await beginning;
  await page.context().addCookies(cookies);
  await storeToken(page, token);
}

/** Makes an account; nothing is signed in. */
export async function register(email = newAddress()): Promise<string> {
  const api = await request.newContext();
  try {
    await call(api, 'POST', '/api/user/register', { username: email, password: PASSWORD, firstName: 'Ada', lastName: 'Reader' });
  } finally {
    await api.dispose();
  }
  return email;
}

/** Makes a free member with one chosen category, signed in on this page. */
export async function newMember(page: Page): Promise<string> {
  const email = newAddress();
  const { token } = await call<{ token: string }>(page.request, 'POST', '/api/user/register', {
    username: email,
    password: PASSWORD,
    firstName: 'Ada',
    lastName: 'Reader',
  });
  const { categories } = await call<{ categories: { id: number }[] }>(page.request, 'GET', '/api/categories');
  await call(page.request, 'PUT', '/api/user/recommends', { recommends: categories.slice(0, 1).map(({ id }) => id) }, token);
  await storeToken(page, token);
  return email;
}

/** Buys with the sandbox's card that pays. A card has one trial for all: once it is used, the plan is paid at once. */
export async function buy(page: Page, planId: string, more: object = {}): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const send = () =>
    page.request.post(`/api/charge/process/${planId}`, {
      headers: { Authorization: `Bearer ${token}`, Origin: new URL(page.url()).origin, 'Idempotency-Key': crypto.randomUUID() },
      data: { token: 'pm_card_visa', planId, addInfographics: 0, ...more },
    });
  const first = await send();
  const response = first.status() === 409 ? await send() : first;
  expect(response.ok(), `${planId}: ${response.status()} ${await response.text()}`).toBe(true);
}

/** Signs up with the form. */
export async function signUp(page: Page, email = newAddress()): Promise<string> {
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Reader');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect(page).toHaveURL(/\/choose-categories\/new$/);
  return email;
}

/** Signs in with the form. */
export async function logInByForm(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** Presses Read on the page of a book that takes a free summary, and waits for the reader. */
export async function readForFree(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Read · uses 1 of/ })
    .first()
    .click();
  await expect(page.getByRole('group', { name: 'Reader menu' })).toBeVisible();
}
