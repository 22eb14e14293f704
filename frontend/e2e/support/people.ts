import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** The accounts of the demo profile. */
export const DEMO_PASSWORD = 'pith-demo-2026';

let made = 0;

/** An address that nobody has yet. */
export const newAddress = () => `reader-${process.pid}-${Date.now()}-${++made}@example.com`;

export async function signUp(page: Page, email = newAddress()): Promise<string> {
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Reader');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a long and quiet evening');
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect(page).toHaveURL(/\/choose-categories\/new$/);
  return email;
}

export async function logIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** Signs up and picks the first category: a free member with a home. */
export async function newMember(page: Page): Promise<string> {
  const email = await signUp(page);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL(/\/home$/);
  return email;
}
