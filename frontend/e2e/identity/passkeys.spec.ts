// Passkeys with the browser's own virtual authenticator, against the real server.
import type { CDPSession, Page } from '@playwright/test';
import { newMember } from '../harness/people';
import { expect, test } from '../harness/watch';

/** A device that knows its owner's finger. */
async function plugIn(page: Page): Promise<{ client: CDPSession; authenticatorId: string }> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name of the passkey').fill(name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

const passkeys = (page: Page) => page.getByRole('list', { name: 'Your passkeys' });

test('a passkey is added, logs in, is renamed, and does not log in once it is removed', async ({ page, quiet }) => {
  test.slow();
  quiet.allow(/status of 4\d\d/);
  const { client, authenticatorId } = await plugIn(page);
  await newMember(page);
  await page.goto('/account');
  await addPasskey(page, 'My laptop');
  await expect(passkeys(page)).toContainText('My laptop');
  await expect(passkeys(page)).toContainText('Not used yet.');
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused();
  const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toHaveLength(1);
  expect(credentials[0]?.isResidentCredential).toBe(true);

  // The same device is not taken twice.
  await addPasskey(page, 'My laptop again');
  await expect(page.getByRole('alert')).toContainText('This device already has a passkey for your account.');
  await page.keyboard.press('Escape');

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/$/);
  // The device answers at once: the list of the e-mail field, which asks by itself, is enough.
  await page.goto('/login?redirect=%2Faccount');
  await expect(page).toHaveURL(/\/account$/);
  await expect(passkeys(page)).toContainText('Last used just now.');

  await page.getByRole('button', { name: 'Rename My laptop' }).click();
  await page.getByLabel('Name of the passkey').fill('Kitchen laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Rename Kitchen laptop' })).toBeFocused();
  await page.reload();
  await expect(passkeys(page)).toContainText('Kitchen laptop');

  await page.getByRole('button', { name: 'Remove Kitchen laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.locator('.toasts')).toHaveText('The passkey “Kitchen laptop” was removed.');
  await expect(passkeys(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused();

  // The device still has it: the server knows it no more.
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/login');
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/api/user/passkey-login') && answer.status() === 400);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await refused;
  await expect(page).toHaveURL(/\/login/);
});

test('without user verification no passkey is made', async ({ page }) => {
  const { client, authenticatorId } = await plugIn(page);
  await newMember(page);
  await page.goto('/account');
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await addPasskey(page, 'My laptop');
  await expect(page.getByRole('alert')).toContainText('No passkey was created. You can try again.');
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect(passkeys(page)).toContainText('My laptop');
});
