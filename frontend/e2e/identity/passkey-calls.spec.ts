// Passkeys of a real browser against the real server: what Chromium makes and signs is taken, and a copy of it is not.
import { expect, test } from '@playwright/test';
import type { CDPSession, Page } from '@playwright/test';
import { newAddress, PASSWORD } from '../harness/people';

/** A device in software that keeps passkeys and knows its owner. */
async function device(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return { cdp, id: authenticatorId };
}

interface Answer {
  status: number;
  body: { result?: Record<string, unknown>; code?: string };
}

/** Calls the API from within the page, as the web app does. */
const call = async (page: Page, method: string, path: string, body: unknown, token?: string): Promise<Answer> =>
  page.evaluate(
    async ([method, path, body, token]) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      const response = await fetch(path, { method, headers, ...(body !== null && { body: JSON.stringify(body) }) });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    },
    [method, path, body, token] as const,
  );

const create = async (page: Page, options: unknown): Promise<unknown> =>
  page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON() as unknown;
  }, options);

async function signIn(page: Page): Promise<Answer> {
  const asked = await call(page, 'POST', '/api/user/passkey-login/options', {});
  const credential = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON() as unknown;
  }, asked.body.result?.['options']);
  return call(page, 'POST', '/api/user/passkey-login', { ceremony: asked.body.result?.['ceremony'], credential });
}

test('a browser makes a passkey, signs in with it, and a copy of it shows', async ({ page }) => {
  // Not the login page: it waits for a passkey of its own accord.
  await page.goto('/books');
  const { cdp, id } = await device(page);
  const email = newAddress();
  const joined = await call(page, 'POST', '/api/user/register', { username: email, password: PASSWORD, firstName: 'Ada', lastName: 'Reader' });
  const token = joined.body.result?.['token'] as string;

  const asked = await call(page, 'POST', '/api/user/passkeys/options', {}, token);
  const credential = await create(page, asked.body.result?.['options']);
  const added = await call(page, 'POST', '/api/user/passkeys', { ceremony: asked.body.result?.['ceremony'], name: 'This browser', credential }, token);
  expect(added).toMatchObject({ status: 200, body: { result: { passkey: { name: 'This browser', lastUsedAt: null } } } });

  // The same device makes no second one for the same person.
  const again = await call(page, 'POST', '/api/user/passkeys/options', {}, token);
  await expect(create(page, again.body.result?.['options'])).rejects.toThrow(/InvalidStateError|already/i);

  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
  expect(credentials).toHaveLength(1);
  expect(credentials[0]).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });

  expect(await signIn(page)).toMatchObject({ status: 200, body: { result: { user: { email } } } });
  expect(await signIn(page)).toMatchObject({ status: 200 });

  // A copy of the key, as it was before, is used.
  await cdp.send('WebAuthn.removeCredential', { authenticatorId: id, credentialId: credentials[0]?.credentialId ?? '' });
  await cdp.send('WebAuthn.addCredential', { authenticatorId: id, credential: credentials[0] as NonNullable<(typeof credentials)[0]> });
  expect(await signIn(page)).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
});
