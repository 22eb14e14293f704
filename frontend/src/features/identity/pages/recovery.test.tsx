import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { site } from '@/lib/site';
import { secondFactorTicket } from '@/shared/session/signIn';
import * as leaving from '@/features/identity/leaveSite';
import * as ConfirmEmailPage from '@/features/identity/pages/ConfirmEmailPage';
import * as ForgotPasswordPage from '@/features/identity/pages/ForgotPasswordPage';
import * as GobackPage from '@/features/identity/pages/GobackPage';
import * as LoginLinkPage from '@/features/identity/pages/LoginLinkPage';
import * as LoginPage from '@/features/identity/pages/LoginPage';
import * as ResetPasswordPage from '@/features/identity/pages/ResetPasswordPage';
import { fill, openPages, press } from '@test/identity';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const open = (address: string, state?: unknown) =>
  openPages(
    [
      { path: '/login', ...LoginPage },
      { path: '/forgot-password', ...ForgotPasswordPage },
      { path: '/reset-password/:email/:code', ...ResetPasswordPage },
      { path: '/login-link', ...LoginLinkPage },
      { path: '/confirm-email', ...ConfirmEmailPage },
      { path: '/goback', ...GobackPage },
    ],
    address,
    state,
  );

const SPENT = 'This link has expired or was already used. Please ask for a new one.';

beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  site.supportEmail = 'help@example.com';
});
afterEach(() => {
  site.providerOrigins = [];
});

describe('a forgotten password', () => {
  it('needs an address', async () => {
    open('/forgot-password');
    await press('Reset Password');
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Email.');
  });

  it('is requested once, and then only the message is shown', async () => {
    let body: unknown;
    server.use(
      on('PUT /api/user/forgot-password', (seen) => {
        body = seen.body;
        return {};
      }),
    );
    open('/forgot-password');
    expect(await screen.findByRole('link', { name: 'help@example.com' })).toHaveAttribute('href', 'mailto:help@example.com');
    await fill({ Email: ' ada@example.com ' });
    await press('Reset Password');
    expect(await screen.findByRole('status')).toHaveTextContent(
      'Please check your email for instructions on how to reset your password. If you have any questions, please email us at help@example.com.',
    );
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(body).toEqual({ email: 'ada@example.com' });
  });

  it('prefills the address that was typed at the login', async () => {
    open('/login');
    await fill({ Email: 'ada@example.com' });
    (await screen.findByRole('link', { name: 'Forgot password' })).click();
    await screen.findByRole('heading', { name: 'Forgot password' });
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
  });

  it('waits after too many tries', async () => {
    server.use(
      on('PUT /api/user/forgot-password', () => failure(429, 'too_many_tries', 'Too many attempts. Please try again in 20 minutes.', { retryAfter: 1200 })),
    );
    open('/forgot-password');
    await fill({ Email: 'ada@example.com' });
    await press('Reset Password');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 20 minutes.');
    expect(screen.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('a reset', () => {
  const LINK = '/reset-password/ada%2Btest%40example.com/c0de';

  it('names the first field that is empty', async () => {
    open(LINK);
    await press('Reset Password');
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please specify New Password\.$/);
    await fill({ 'New Password': 'a fine password' });
    await press('Reset Password');
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please specify Confirm New Password\.$/);
  });

  it('takes the secret out of the address at once, and keeps it for the form', async () => {
    let body: unknown;
    server.use(
      on('PUT /api/user/reset-password', (seen) => {
        body = seen.body;
        return {};
      }),
    );
    const { router } = open(LINK);
    await waitFor(() => expect(router.state.location.pathname).toBe('/reset-password/-/-'));
    expect(router.state.historyAction).toBe('REPLACE');
    await fill({ 'New Password': 'a fine password', 'Confirm New Password': 'a fine password' });
    await press('Reset Password');
    expect(await screen.findByText('Your password was changed. You can now login.')).toBeVisible();
    expect(body).toMatchObject({ code: 'c0de', email: 'ada+test@example.com' });
  });

  it('sends both passwords with what the link carries, and then only the message and the login are there', async () => {
    session.start('old');
    let body: unknown;
    server.use(
      on('PUT /api/user/reset-password', (seen) => {
        body = seen.body;
        return {};
      }),
    );
    open(LINK);
    await fill({ 'New Password': ' one ', 'Confirm New Password': 'two' });
    await press('Reset Password');
    expect(await screen.findByText('Your password was changed. You can now login.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    expect(screen.queryByLabelText('New Password')).not.toBeInTheDocument();
    expect(body).toEqual({ password1: ' one ', password2: 'two', code: 'c0de', email: 'ada+test@example.com' });
    expect(session.token()).toBeNull();
  });

  it('shows the server\u2019s word about the passwords beside the field', async () => {
    server.use(on('PUT /api/user/reset-password', () => failure(422, 'validation_failed', 'The passwords do not match.', { field: 'password2' })));
    open(LINK);
    await fill({ 'New Password': 'one', 'Confirm New Password': 'two' });
    await press('Reset Password');
    expect(await screen.findByRole('alert')).toHaveTextContent('The passwords do not match.');
    expect(screen.getByLabelText('Confirm New Password')).toHaveFocus();
  });

  it('whose link is used up leads to a new one', async () => {
    server.use(on('PUT /api/user/reset-password', () => failure(400, 'code_invalid', SPENT)));
    open(LINK);
    await fill({ 'New Password': 'one', 'Confirm New Password': 'one' });
    await press('Reset Password');
    expect(await screen.findByRole('alert')).toHaveTextContent(SPENT);
    expect(screen.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/forgot-password');
    expect(screen.queryByRole('button', { name: 'Reset Password' })).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });
});

describe('a mailed link to log in', () => {
  it('waits for a press, with its secret removed from the URL, and goes to the redirect', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/user/login-link/session', ({ body }) => {
        bodies.push(body);
        return { token: 'fresh', user: sampleUser() };
      }),
    );
    session.start('a token');
    const { router, at } = open('/login-link?redirect=%2Flibrary#s3cret');
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(bodies).toEqual([]);
    await press('Log in');
    await waitFor(() => expect(at()).toBe('/library'));
    expect(bodies).toEqual([{ token: 's3cret' }]);
    expect(session.token()).toBe('fresh');
  });

  it('that is used up says so, and keeps a session', async () => {
    session.start('a token');
    server.use(on('POST /api/user/login-link/session', () => failure(400, 'code_invalid', SPENT)));
    open('/login-link#s3cret');
    await press('Log in');
    expect(await screen.findByRole('alert')).toHaveTextContent(SPENT);
    expect(screen.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/login');
    expect(screen.queryByRole('button', { name: 'Log in' })).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(session.token()).toBe('a token');
  });

  it('of a member with a second factor asks for it', async () => {
    server.use(on('POST /api/user/login-link/session', () => failure(403, 'second_factor_required', 'One more.', { ticket: 'tick' })));
    const { at } = open('/login-link?redirect=%2Flibrary#s3cret');
    await press('Log in');
    expect(await screen.findByRole('heading', { name: 'One more step' })).toBeVisible();
    expect(at()).toBe('/login?redirect=%2Flibrary');
    secondFactorTicket.end();
  });

  it('without a secret asks for the whole link', async () => {
    open('/login-link');
    expect(await screen.findByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/login');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});

describe('a confirmation', () => {
  it('waits for a press, and says that it is done', async () => {
    let body: unknown;
    server.use(
      on('POST /api/user/confirm-email', (seen) => {
        body = seen.body;
        return { passwordRemoved: false };
      }),
    );
    const { router } = open('/confirm-email#c0de');
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(body).toBeUndefined();
    await press('Confirm without logging in');
    expect(await screen.findByText('Your email address is confirmed.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    expect(body).toEqual({ code: 'c0de' });
  });

  it('outside of a session leads to the login, and says before it what goes without one', async () => {
    server.use(on('POST /api/user/confirm-email', () => ({ passwordRemoved: true })));
    open('/confirm-email#c0de');
    const login = await screen.findByRole('link', { name: 'Log in first' });
    const without = screen.getByRole('button', { name: 'Confirm without logging in' });
    expect(login).toHaveClass('button--primary');
    expect(without).not.toHaveClass('button--primary');
    expect(login.compareDocumentPosition(without)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    // A divider and a sentence separate the two.
    expect(without.closest('.auth__apart')).not.toContainElement(login);
    expect(screen.getByText(/Log in with your password first: that way, you keep it/).compareDocumentPosition(login)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByText(/logs out every device and removes the password/).compareDocumentPosition(without)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await press('Confirm without logging in');
    expect(await screen.findByText(/we have removed it/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute('href', '/forgot-password');
  });

  it('goes on where it was after the login', async () => {
    let body: unknown;
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser({ emailConfirmed: false }) })),
      on('POST /api/user/login', () => ({ token: 'mine', user: sampleUser({ emailConfirmed: false }) })),
      on('POST /api/user/confirm-email', (seen) => {
        body = seen.body;
        return { passwordRemoved: false };
      }),
    );
    const { router } = open('/confirm-email#c0de');
    await userEvent.click(await screen.findByRole('link', { name: 'Log in first' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    // The code is not in the URL, so it is not in the server's log.
    expect(router.state.location.search + router.state.location.hash).not.toContain('c0de');
    await fill({ Email: 'ada@example.com', Password: 'a fine password' });
    await press('Log in');
    await press('Confirm my address');
    expect(await screen.findByText('Your email address is confirmed.')).toBeVisible();
    expect(body).toEqual({ code: 'c0de' });
    expect(sessionStorage.getItem('draft:confirm-email')).toBeNull();
  });

  it('in a session keeps the password, and removes nothing without saying so', async () => {
    session.start('mine');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser({ emailConfirmed: false }) })),
      on('POST /api/user/confirm-email', () => ({ passwordRemoved: false })),
    );
    open('/confirm-email#c0de');
    expect(await screen.findByRole('button', { name: 'Confirm my address' })).toBeVisible();
    expect(screen.queryByText(/removes the password/)).not.toBeInTheDocument();
    await press('Confirm my address');
    expect(await screen.findByRole('link', { name: 'Go to My Home' })).toBeVisible();
  });

  it('that moves an account leads to its login first', async () => {
    session.start('mine');
    const text = 'Please log in to your account in this browser, then open the link in the email again.';
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser() })),
      on('POST /api/user/confirm-email', () => failure(403, 'fresh_login_required', text)),
    );
    open('/confirm-email#c0de');
    await press('Confirm my address');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByRole('link', { name: 'Log in first' })).toHaveAttribute('href', '/login?redirect=%2Fconfirm-email&again=1');
  });

  it('that is used up can be sent again by a signed-in member', async () => {
    session.start('mine');
    let sent = 0;
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser({ emailConfirmed: false }) })),
      on('POST /api/user/confirm-email', () => failure(400, 'code_invalid', SPENT)),
      on('POST /api/user/confirm-email/send', () => {
        sent++;
        return {};
      }),
    );
    open('/confirm-email#c0de');
    await press('Confirm my address');
    expect(await screen.findByRole('alert')).toHaveTextContent(SPENT);
    await press('Send the email again');
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible();
    expect(sent).toBe(1);
  });

  it('that is used up is done for a member with a confirmed address', async () => {
    session.start('token');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser({ emailConfirmed: true }) })),
      on('POST /api/user/confirm-email', () => failure(400, 'code_invalid', SPENT)),
    );
    open('/confirm-email#c0de');
    await press('Confirm my address');
    expect(await screen.findByText('Your email address is already confirmed.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to My Home' })).toHaveAttribute('href', '/home');
  });

  it('that is used up leads a visitor to the login', async () => {
    server.use(on('POST /api/user/confirm-email', () => failure(400, 'code_invalid', SPENT)));
    open('/confirm-email#c0de');
    await press('Confirm without logging in');
    expect(await screen.findByRole('link', { name: 'Log in to get a new email' })).toHaveAttribute('href', '/login?redirect=%2Faccount');
  });
});

describe('/goback', () => {
  it('redirects to a configured provider, with the redirect stored', async () => {
    site.providerOrigins = ['https://accounts.example'];
    const leave = vi.spyOn(leaving, 'leaveSite').mockImplementation(() => undefined);
    open('/goback?goback=https%3A%2F%2Faccounts.example%2Fauthorize%3Fa%3Db&redirect=%2Flibrary');
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://accounts.example/authorize?a=b'));
    expect(sessionStorage.getItem('redirect')).toBe('/library');
  });

  it.each([
    ['/goback?goback=%2Flibrary&redirect=%2Fhome', '/library', '/home'],
    ['/goback?goback=https%3A%2F%2Fevil.example%2F&redirect=%2Fhome', '/', null],
    ['/goback?goback=%2F%2Fevil.example&redirect=%2Fhome', '/', null],
    ['/goback?goback=%2Flibrary&redirect=https%3A%2F%2Fevil.example', '/library', null],
    ['/goback', '/', null],
  ])('at %s goes to %s and remembers %s', async (address, to, remembered) => {
    const leave = vi.spyOn(leaving, 'leaveSite').mockImplementation(() => undefined);
    const { at } = open(address);
    await waitFor(() => expect(at()).toBe(to));
    expect(sessionStorage.getItem('redirect')).toBe(remembered);
    expect(leave).not.toHaveBeenCalled();
  });
});
