import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter, useLocation } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { SignIn } from '@/features/identity/account/components/SignIn';
import { securityQuery } from '@/shared/session/security';
import type { Security } from '@/shared/session/security';
import { Toaster } from '@/ui/toast';
import { sampleSecurity } from '@test/account';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const CODES = Array.from({ length: 10 }, (_, i) => `CODE-${i}`);

const AGAIN = 'Please confirm that it is you with your password, a code we email you or a passkey.';

/** The state of the mocked server. */
let now: Security;

function Part() {
  const { data } = useQuery(securityQuery());
  return data ? <SignIn user={sampleUser()} security={data} /> : null;
}

const Elsewhere = () => {
  const { pathname, search } = useLocation();
  return <p>{pathname + search}</p>;
};

function open(more: Partial<Security> = {}) {
  now = sampleSecurity(more);
  server.use(on('GET /api/user/security', () => now));
  const router = createMemoryRouter([
    { path: '/', Component: Part },
    { path: '*', Component: Elsewhere },
  ]);
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const said = (text: string | RegExp) => screen.findByText(text, { selector: '.toast' });
const ON = { totp: true, recoveryCodesLeft: 8, required: false, strong: true };

beforeEach(() => session.start('token'));

describe('the second factor', () => {
  const enrol = () =>
    server.use(
      on('POST /api/user/totp', ({ body }) =>
        (body as { currentPassword?: string }).currentPassword === 'right one'
          ? { secret: 'ABCDEFGHIJKLMNOP', url: 'otpauth://totp/Pith:ada?secret=ABCDEFGHIJKLMNOP', qr: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
          : failure(400, 'invalid_credentials', 'This is not your current password.', { field: 'currentPassword' }),
      ),
      on('PUT /api/user/totp', ({ body }) => {
        if ((body as { code: string }).code !== '123456') return failure(400, 'code_invalid', 'This code is not right.', { field: 'code' });
        now = sampleSecurity({ secondFactor: { ...ON, recoveryCodesLeft: 10 } });
        return { recoveryCodes: CODES };
      }),
    );

  it('is set up with the password, the key, a code, and recovery codes', async () => {
    open();
    enrol();
    await press('Set up the second factor');
    await userEvent.type(await screen.findByLabelText('Current password'), 'wrong one');
    await press('Continue');
    await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription('This is not your current password.'));
    await userEvent.clear(screen.getByLabelText('Current password'));
    await userEvent.type(screen.getByLabelText('Current password'), 'right one');
    await press('Continue');

    const picture = await screen.findByRole('img', { name: 'The QR code for your authenticator app' });
    expect(picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml/);
    expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open in an app on this device' })).toHaveAttribute('href', 'otpauth://totp/Pith:ada?secret=ABCDEFGHIJKLMNOP');
    await userEvent.type(screen.getByLabelText('Six-digit code'), '000000');
    await press('Turn on');
    await waitFor(() => expect(screen.getByLabelText('Six-digit code')).toHaveAccessibleDescription('This code is not right.'));
    await userEvent.clear(screen.getByLabelText('Six-digit code'));
    await userEvent.type(screen.getByLabelText('Six-digit code'), '123456');
    await press('Turn on');

    expect(await screen.findByRole('heading', { name: 'Keep these recovery codes' })).toHaveFocus();
    for (const code of CODES) expect(screen.getByText(code)).toBeVisible();
    // A press outside the dialog would lose the codes.
    await userEvent.click(screen.getByRole('dialog'));
    expect(screen.getByText('CODE-0')).toBeVisible();

    // Neither Escape nor a second press on the previous step's button closes it.
    await userEvent.keyboard('{Escape}');
    await press('Done');
    expect(screen.getByText('CODE-0')).toBeVisible();

    await userEvent.click(screen.getByRole('checkbox', { name: 'I have saved them' }));
    await press('Done');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByText(/10 recovery codes left/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Turn off the second factor' })).toBeVisible();
  });

  it('needs a mailed code first where the account has a role', async () => {
    open();
    let proved = false;
    server.use(
      on('POST /api/user/totp', () =>
        proved
          ? { secret: 'ABCDEFGHIJKLMNOP', url: 'otpauth://totp/Pith:ada?secret=ABCDEFGHIJKLMNOP', qr: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
          : failure(403, 'mailed_code_required', 'Please confirm that this address is yours with a code we email you.'),
      ),
      on('POST /api/user/proof/code', () => ({})),
      on('POST /api/user/proof', ({ body }) => {
        expect(body).toEqual({ code: '654321' });
        proved = true;
        return {};
      }),
    );
    await press('Set up the second factor');
    await userEvent.type(await screen.findByLabelText('Current password'), 'right one');
    await press('Continue');
    const proof = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
    expect(await proof.findByText(/You are an editor or an admin/)).toBeVisible();
    expect(proof.queryByLabelText('Current password')).not.toBeInTheDocument();
    await userEvent.click(proof.getByRole('button', { name: 'Email me a code' }));
    await userEvent.type(await proof.findByLabelText('Code'), '654321');
    await userEvent.click(proof.getByRole('button', { name: 'Continue with the code' }));
    expect(await screen.findByRole('img', { name: 'The QR code for your authenticator app' })).toBeVisible();
  });

  it('gives the recovery codes to the clipboard, as a file, and on paper', async () => {
    open();
    enrol();
    await press('Set up the second factor');
    await userEvent.type(await screen.findByLabelText('Current password'), 'right one');
    await press('Continue');
    await userEvent.type(await screen.findByLabelText('Six-digit code'), '123456');
    await press('Turn on');
    await screen.findByText('CODE-9');

    const copied = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
    await press('Copy the codes');
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
    expect(copied).toHaveBeenCalledWith(CODES.join('\n'));

    const saved: Blob[] = [];
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL: () => undefined });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await press('Download');
    expect(await saved[0]?.text()).toContain(CODES.join('\n'));

    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    await press('Print');
    expect(print).toHaveBeenCalledOnce();
  });

  it('is turned off with a code', async () => {
    open({ secondFactor: ON });
    server.use(
      on('DELETE /api/user/totp', () => {
        now = sampleSecurity();
        return {};
      }),
    );
    await press('Turn off the second factor');
    await userEvent.type(await screen.findByLabelText('Code'), '123456');
    await press('Turn off');
    await said('The second factor is off.');
    expect(screen.getByRole('button', { name: 'Set up the second factor' })).toBeVisible();
  });

  it('makes new recovery codes, and warns when few are left', async () => {
    open({ secondFactor: { ...ON, recoveryCodesLeft: 2 } });
    expect(await screen.findByText('Create new recovery codes before they run out.')).toBeVisible();
    server.use(
      on('POST /api/user/recovery-codes', () => {
        now = sampleSecurity({ secondFactor: { ...ON, recoveryCodesLeft: 10 } });
        return { recoveryCodes: CODES };
      }),
    );
    await press('New recovery codes');
    await userEvent.type(await screen.findByLabelText('Code'), '123456');
    await press('Create new codes');
    expect(await screen.findByText('CODE-3')).toBeVisible();
    expect(await screen.findByText(/10 recovery codes left/)).toBeVisible();
    expect(screen.queryByText('Create new recovery codes before they run out.')).not.toBeInTheDocument();
  });

  it('tells an editor that the back office requires it', async () => {
    open({ secondFactor: { totp: false, recoveryCodesLeft: 0, required: true, strong: false } });
    expect(await screen.findByRole('alert')).toHaveTextContent('The back office opens once you have a second factor or a passkey.');
  });
});

describe('a first password', () => {
  it('is set after a fresh login only', async () => {
    open({ hasPassword: false });
    server.use(on('PUT /api/user/password', () => failure(403, 'fresh_login_required', AGAIN)));
    await press('Set a password');
    await userEvent.type(screen.getByLabelText('New Password'), 'a new one here');
    await userEvent.type(screen.getByLabelText('Confirm New Password'), 'a new one here');
    await press('Set password');
    expect(await screen.findByRole('alert')).toHaveTextContent(AGAIN);
    expect(screen.getByLabelText('New Password')).toHaveValue('a new one here');
  });
});

describe('passkeys', () => {
  const KEY = { id: 4, name: 'My phone', createdAt: Date.UTC(2026, 0, 2, 12), lastUsedAt: null };
  const options = { challenge: 'AA', rp: { name: 'Pith' } };
  const browserWith = (create: () => Promise<unknown>) => {
    vi.stubGlobal('PublicKeyCredential', { parseCreationOptionsFromJSON: (given: unknown) => given, parseRequestOptionsFromJSON: (given: unknown) => given });
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
  };
  beforeEach(() => vi.unstubAllGlobals());

  it('are not offered where the browser has none', async () => {
    open({ passkeys: [KEY] });
    expect(await screen.findByText(/Passkeys can’t be created here/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument();
    expect(screen.getByText('Added January 2, 2026. Not used yet.')).toBeVisible();
  });

  it('are added under a name', async () => {
    browserWith(() => Promise.resolve({ toJSON: () => ({ id: 'made' }) }));
    let sent: unknown;
    open();
    server.use(
      on('POST /api/user/passkeys/options', () => ({ ceremony: 'c-1', options: { publicKey: options } as never })),
      on('POST /api/user/passkeys', ({ body }) => {
        sent = body;
        now = sampleSecurity({ passkeys: [KEY] });
        return { passkey: KEY };
      }),
    );
    await press('Add a passkey');
    const name = await screen.findByLabelText('Name of the passkey');
    expect(name).not.toHaveValue('');
    await userEvent.clear(name);
    await userEvent.type(name, 'My phone');
    await press('Continue');
    await said('The passkey was added. You can log in with it from now on.');
    expect(sent).toEqual({ ceremony: 'c-1', name: 'My phone', credential: { id: 'made' } });
    expect(screen.getByRole('list', { name: 'Your passkeys' })).toHaveTextContent('My phone');
  });

  it.each([
    ['NotAllowedError', 'No passkey was created. You can try again.'],
    ['InvalidStateError', 'This device already has a passkey for your account.'],
  ])('%s: says so and lets one try again', async (error, text) => {
    browserWith(() => Promise.reject(new DOMException('no', error)));
    open();
    server.use(on('POST /api/user/passkeys/options', () => ({ ceremony: 'c-1', options: options as never })));
    await press('Add a passkey');
    await press('Continue');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByRole('button', { name: 'Continue' })).toBeVisible();
  });

  it('are renamed at once, and rolled back when the server refuses', async () => {
    open({ passkeys: [KEY] });
    server.use(on('PUT /api/user/passkeys/{id}', () => failure(422, 'validation_failed', 'This name is too long.', { field: 'name' })));
    await press('Rename My phone');
    const field = screen.getByLabelText('Name of the passkey');
    expect(field).toHaveFocus();
    await userEvent.clear(field);
    await userEvent.type(field, 'Old phone');
    await press('Save');
    await waitFor(() => expect(screen.getByLabelText('Name of the passkey')).toHaveAccessibleDescription('This name is too long.'));
    server.use(on('PUT /api/user/passkeys/{id}', () => ({ passkey: { ...KEY, name: 'Old phone' } })));
    await press('Save');
    await said('The name is saved.');
    expect(screen.getByText('Old phone')).toBeVisible();
  });

  it('are removed after a question; the last sign-in method is not', async () => {
    open({ passkeys: [KEY], hasPassword: false });
    server.use(on('DELETE /api/user/passkeys/{id}', () => failure(409, 'last_way_in', 'This is your only way to log in.')));
    await press('Remove My phone');
    const dialog = screen.getByRole('dialog', { name: 'Remove “My phone”?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('This is your only way to log in.');
    server.use(
      on('DELETE /api/user/passkeys/{id}', () => {
        now = sampleSecurity();
        return {};
      }),
    );
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
    await said('The passkey “My phone” was removed.');
    expect(screen.queryByRole('list', { name: 'Your passkeys' })).not.toBeInTheDocument();
  });
});

describe('providers', () => {
  it('are connected on their own pages', async () => {
    open({ providers: [{ name: 'google', connected: false, email: null }] });
    let asked = new URLSearchParams();
    server.use(
      on('GET /api/google/login/oauth', ({ request }) => {
        asked = new URL(request.url).searchParams;
        return { url: 'https://accounts.example/authorize?x=1' };
      }),
    );
    await press('Connect Google');
    expect(await screen.findByText(/^\/goback\?/)).toHaveTextContent(
      '/goback?goback=https%3A%2F%2Faccounts.example%2Fauthorize%3Fx%3D1&redirect=%2Faccount%3Fconnected%3Dgoogle',
    );
    expect(Object.fromEntries(asked)).toMatchObject({ origin: 'account', redirect: '/account?connected=google' });
  });

  it('are connected after a fresh login or proof only', async () => {
    open({ providers: [{ name: 'google', connected: false, email: null }] });
    server.use(on('GET /api/google/login/oauth', () => failure(403, 'fresh_login_required', AGAIN)));
    await press('Connect Google');
    expect(await screen.findByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
    await press('Close');
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was done, because you did not confirm that it is you.');
    expect(screen.getByRole('button', { name: 'Connect Google' })).toBeVisible();
  });

  it('are disconnected, unless one is the last sign-in method', async () => {
    open({ hasPassword: false, providers: [{ name: 'linkedin', connected: true, email: 'ada@work.example' }] });
    server.use(on('DELETE /api/user/providers/{name}', () => failure(409, 'last_way_in', 'No.')));
    await press('Disconnect LinkedIn');
    expect(await screen.findByRole('alert')).toHaveTextContent('This is your only way to log in. Please set a password or add a passkey first.');
    server.use(
      on('DELETE /api/user/providers/{name}', () => {
        now = sampleSecurity({ providers: [{ name: 'linkedin', connected: false, email: null }] });
        return {};
      }),
    );
    await press('Disconnect LinkedIn');
    await said('LinkedIn is disconnected.');
    expect(screen.getByRole('button', { name: 'Connect LinkedIn' })).toBeVisible();
  });
});
