import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { site } from '@/lib/site';
import * as ArchivePage from '@/features/identity/account/pages/ArchivePage';
import * as DeletePage from '@/features/identity/account/pages/DeletePage';
import { Toaster } from '@/ui/toast';
import { failure, on, server } from '@test/server';

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/account/delete', ...DeletePage },
      { path: '/account/archive', ...ArchivePage },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return router;
}

const WHY = 'Why are you deleting your account?';
const HOW = 'How did you find out about us?';
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

/** The downloaded files. */
const saved: { name: string; blob: Blob }[] = [];
const zip = () => new HttpResponse('PK', { headers: { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="pith-archive.zip"' } });

beforeEach(() => {
  saved.length = 0;
  let last: Blob | null = null;
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      last = blob;
      return 'blob:1';
    },
    revokeObjectURL: () => undefined,
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (last) saved.push({ name: this.download, blob: last });
  });
  Object.assign(site, { supportEmail: 'help@pith.example' });
});

describe('deleting the account', () => {
  beforeEach(() => session.start('token'));

  it('has ready answers, which can be changed before they are sent', async () => {
    let sent: unknown;
    server.use(
      on('POST /api/user/delete', ({ body }) => {
        sent = body;
        return {};
      }),
    );
    open('/account/delete');
    const reasons = within(screen.getByRole('list', { name: 'Reasons to choose from' }));
    const ways = within(screen.getByRole('list', { name: 'Ways to choose from' }));
    await userEvent.click(reasons.getByRole('button', { name: 'I would rather not say' }));
    expect(reasons.getByRole('button', { name: 'I would rather not say' })).toHaveAttribute('aria-pressed', 'true');
    expect(ways.getByRole('button', { name: 'I would rather not say' })).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(ways.getByRole('button', { name: 'A friend' }));
    await userEvent.type(screen.getByLabelText(HOW), ' of mine');
    await press('Delete Account');
    await waitFor(() => expect(sent).toEqual({ why: 'I would rather not say', how: 'A friend of mine' }));
  });

  it('requires both answers, one error at a time, without a request', async () => {
    open('/account/delete');
    await press('Delete Account');
    expect(screen.getByLabelText(WHY)).toHaveAccessibleDescription('Please specify Why are you deleting your account?.');
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Why are you deleting your account?.');
    expect(screen.getByLabelText(HOW)).not.toHaveAttribute('aria-invalid');
    await userEvent.type(screen.getByLabelText(WHY), 'Enough read.');
    await userEvent.type(screen.getByLabelText(HOW), '   ');
    await press('Delete Account');
    expect(screen.getByLabelText(HOW)).toHaveAccessibleDescription('Please specify How did you find out about us?.');
    expect(screen.getByLabelText(HOW)).toHaveFocus();
  });

  it('sends the answers and redirects to the logout page', async () => {
    let sent: unknown;
    const router = open('/account/delete');
    server.use(
      on('POST /api/user/delete', ({ body }) => {
        sent = body;
        return {};
      }),
    );
    await userEvent.type(screen.getByLabelText(WHY), 'Enough read.');
    await userEvent.type(screen.getByLabelText(HOW), 'A friend.');
    await press('Delete Account');
    await waitFor(() => expect(router.state.location.pathname).toBe('/logout'));
    expect(sent).toEqual({ why: 'Enough read.', how: 'A friend.' });
  });

  const security = {
    emailConfirmed: true,
    hasPassword: true,
    pendingEmail: null,
    secondFactor: { totp: false, recoveryCodesLeft: 0, required: false, strong: false },
    passkeys: [],
    passkeysAvailable: false,
    providers: [],
  };
  const AGAIN = 'Please confirm that it is you with your password, a code we email you or a passkey.';

  /** Mocks a server that deletes only after a proof; returns the proofs that it received. */
  function wantsProof(isRight: (proof: unknown) => boolean): unknown[] {
    const proofs: unknown[] = [];
    let proved = false;
    server.use(
      on('GET /api/user/security', () => security),
      on('POST /api/user/proof/code', () => ({})),
      on('POST /api/user/proof', ({ body }) => {
        proofs.push(body);
        proved = isRight(body);
        return proved ? {} : failure(400, 'code_invalid', 'This code is not right.', { field: 'code' });
      }),
      on('POST /api/user/delete', () => (proved ? {} : failure(403, 'fresh_login_required', AGAIN))),
    );
    return proofs;
  }

  async function answerAndDelete(): Promise<void> {
    await userEvent.type(screen.getByLabelText(WHY), 'Enough read.');
    await userEvent.type(screen.getByLabelText(HOW), 'A friend.');
    await press('Delete Account');
    expect(await screen.findByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
  }

  it('in an old session asks for the password in place, and goes on', async () => {
    const router = open('/account/delete');
    const proofs = wantsProof(() => true);
    await answerAndDelete();
    await userEvent.type(await screen.findByLabelText('Current password'), 'my password');
    await press('Continue');
    await waitFor(() => expect(router.state.location.pathname).toBe('/logout'));
    expect(proofs).toEqual([{ currentPassword: 'my password' }]);
  });

  it('in an old session takes a mailed code, and says when it is wrong', async () => {
    const router = open('/account/delete');
    const proofs = wantsProof((proof) => JSON.stringify(proof) === '{"code":"123456"}');
    await answerAndDelete();
    await userEvent.click(await screen.findByRole('button', { name: 'Email me a code' }));
    await userEvent.type(await screen.findByLabelText('Code'), '65 43 21');
    await press('Continue with the code');
    expect(await screen.findByText('This code is not right.')).toBeVisible();
    expect(router.state.location.pathname).toBe('/account/delete');
    await userEvent.clear(screen.getByLabelText('Code'));
    await userEvent.type(screen.getByLabelText('Code'), '123 456');
    await press('Continue with the code');
    await waitFor(() => expect(router.state.location.pathname).toBe('/logout'));
    expect(proofs).toEqual([{ code: '654321' }, { code: '123456' }]);
  });

  it('is not done when the proof is not given, and keeps the answers', async () => {
    const router = open('/account/delete');
    const proofs = wantsProof(() => true);
    await answerAndDelete();
    await press('Close');
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was done, because you did not confirm that it is you.');
    expect(screen.getByLabelText(WHY)).toHaveValue('Enough read.');
    expect(router.state.location.pathname).toBe('/account/delete');
    expect(proofs).toEqual([]);
  });

  it('downloads the archive after a proof in an old session', async () => {
    open('/account/delete');
    const proofs = wantsProof(() => true);
    server.use(on('GET /api/user/archive', () => (proofs.length > 0 ? zip() : failure(403, 'fresh_login_required', AGAIN))));
    await press('Download your archive');
    await userEvent.type(await screen.findByLabelText('Current password'), 'my password');
    await press('Continue');
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['pith-archive.zip']));
  });

  it.each([
    ['the server', () => failure(500, 'internal', 'Something else.')],
    ['the network', () => HttpResponse.error()],
  ])('says whom to write to when %s fails, and keeps the answers', async (_, answer) => {
    open('/account/delete');
    server.use(on('POST /api/user/delete', answer));
    await userEvent.type(screen.getByLabelText(WHY), 'Enough read.');
    await userEvent.type(screen.getByLabelText(HOW), 'A friend.');
    await press('Delete Account');
    expect(await screen.findByRole('alert')).toHaveTextContent('Unable to delete account. Please email us at help@pith.example.');
    expect(screen.getByLabelText(WHY)).toHaveValue('Enough read.');
  });

  it('offers the archive first, at once or by mail', async () => {
    open('/account/delete');
    server.use(
      on('GET /api/user/archive', zip),
      on('POST /api/user/archive', () => ({})),
    );
    await press('Download your archive');
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['pith-archive.zip']));
    await press('Send me a link');
    expect(await screen.findByText('We sent you a link to your archive. It works once, within 24 hours.')).toBeVisible();
  });

  it('shows why an archive can’t be downloaded', async () => {
    open('/account/delete');
    server.use(
      on('GET /api/user/archive', () => failure(429, 'too_many_requests', 'Too many attempts. Please try again in 20 minutes.', { retryAfter: 1200 })),
    );
    await press('Download your archive');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 20 minutes.');
    expect(saved).toEqual([]);
  });
});

it('a visitor is asked to log in before an account is deleted', () => {
  open('/account/delete');
  expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login?redirect=%2Faccount%2Fdelete');
  expect(screen.queryByLabelText(WHY)).not.toBeInTheDocument();
});

describe('the mailed archive', () => {
  it('is downloaded by a press, once', async () => {
    const codes: unknown[] = [];
    open('/account/archive#a-code');
    server.use(
      on('POST /api/user/archive/download', ({ body }) => {
        codes.push(body);
        return zip();
      }),
    );
    expect(codes).toEqual([]);
    await press('Download your archive');
    expect(await screen.findByText(/This link no longer works\./)).toBeVisible();
    expect(codes).toEqual([{ code: 'a-code' }]);
    expect(await saved[0]?.blob.text()).toBe('PK');
  });

  it('says that a link is used up, and links to the account', async () => {
    open('/account/archive#a-code');
    server.use(
      on('POST /api/user/archive/download', () => failure(400, 'code_invalid', 'This link has expired or was already used. Please ask for a new one.')),
    );
    await press('Download your archive');
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired or was already used.');
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login?redirect=%2Faccount');
  });

  it('without a code leads to the account', () => {
    open('/account/archive');
    expect(screen.queryByRole('button', { name: 'Download your archive' })).not.toBeInTheDocument();
    expect(screen.getByText(/This link is incomplete\./)).toBeVisible();
  });
});
