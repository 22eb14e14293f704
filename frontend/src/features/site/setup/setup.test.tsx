import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { Setup } from '@/features/site/setup/queries';
import { openApp } from '@test/app';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
const scrollTo = vi.fn();
beforeEach(() => {
  scrollTo.mockClear();
  vi.spyOn(window, 'scrollTo').mockImplementation(scrollTo);
});
afterEach(() => app?.close());

const SETUP: Setup = { siteName: 'Pith', siteNameFixed: false, mail: 'smtp', mailServer: 'smtp.example.com' };

/** Opens the page of a site that is not set up. */
async function open(address = '/setup#token=abc', setup: Partial<Setup> = {}) {
  server.use(on('GET /api/setup', () => ({ ...SETUP, ...setup })));
  app = openApp(address);
  await screen.findByRole('heading', { level: 1, name: 'Set up the site' });
  return app;
}

const field = (label: string) => screen.getByLabelText(label);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const ADMIN = { 'First name': 'Ada', 'Last name': 'Admin', Email: 'ada@example.com', Password: 'a fine password' };
async function fill(fields: Record<string, string> = ADMIN, content: RegExp | null = /Start empty/) {
  for (const [label, value] of Object.entries(fields)) await userEvent.type(field(label), value);
  if (content) await userEvent.click(screen.getByRole('radio', { name: content }));
}

/** Takes the setup's call; returns the bodies that were sent. */
function takesSetup(): unknown[] {
  const sent: unknown[] = [];
  server.use(
    on('POST /api/setup', ({ body }) => {
      sent.push(body);
      return { token: 'fresh', user: sampleUser({ role: 'admin' }) };
    }),
  );
  return sent;
}

describe('the setup page (admin.setup-page)', () => {
  it('is not found once the site is set up', async () => {
    server.use(on('GET /api/setup', () => failure(404, 'not_found', 'There is no such page.')));
    app = openApp('/setup#token=abc');
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await waitFor(() => expect(document.title).toBe('Page not found – Quire'));
    const { router } = app;
    await waitFor(() => expect(router.state.location.hash).toBe(''));
  });

  it('says why it could not be loaded, and tries again', async () => {
    server.use(on('GET /api/setup', () => failure(503, 'busy', 'Please try again.')));
    app = openApp('/setup');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again.');
    server.use(on('GET /api/setup', () => SETUP));
    await press('Try again');
    expect(await screen.findByLabelText('Setup token')).toBeVisible();
    await waitFor(() => expect(document.title).toBe('Set up – Quire'));
  });

  it('takes the token from the link, and removes it from the address', async () => {
    const sent = takesSetup();
    const { router } = await open();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(screen.queryByLabelText('Setup token')).toBeNull();
    await fill();
    await press('Set up');
    await screen.findByRole('heading', { name: 'Pith is set up' });
    expect(sent).toEqual([
      {
        token: 'abc',
        siteName: 'Pith',
        firstName: 'Ada',
        lastName: 'Admin',
        username: 'ada@example.com',
        password: 'a fine password',
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        content: 'empty',
      },
    ]);
  });

  it('without a link asks for the token, and says where it is printed', async () => {
    const sent = takesSetup();
    await open('/setup');
    expect(field('Setup token')).toHaveAccessibleDescription('The server prints it in its log when it starts.');
    await fill();
    await press('Set up');
    expect(screen.getByRole('alert')).toHaveTextContent('The setup token is missing.');
    expect(field('Setup token')).toHaveFocus();
    expect(scrollTo).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }));
    await userEvent.type(field('Setup token'), ' typed ');
    await press('Set up');
    await screen.findByRole('heading', { name: 'Pith is set up' });
    expect(sent).toMatchObject([{ token: 'typed' }]);
  });

  it.each(Object.keys(ADMIN))('without %s says what is missing, at its field too', async (label) => {
    await open();
    await fill(Object.fromEntries(Object.entries(ADMIN).filter(([name]) => name !== label)));
    await press('Set up');
    expect(screen.getByRole('alert')).toHaveTextContent(/ is missing\.$/);
    expect(field(label)).toHaveFocus();
    expect(field(label)).toHaveAccessibleDescription(/ is missing\./);
  });

  it('decides nothing about the content by itself', async () => {
    await open();
    await fill(ADMIN, null);
    await press('Set up');
    expect(screen.getByRole('alert')).toHaveTextContent('Choose what the site starts with.');
    const first = screen.getByRole('radio', { name: /Demo content/ });
    expect(first).toHaveFocus();
    expect(first).toHaveAccessibleDescription('Choose what the site starts with.');
  });

  it('shows a name that the server’s settings fix as a text, and does not send it', async () => {
    const sent = takesSetup();
    await open('/setup#token=abc', { siteName: 'Quire', siteNameFixed: true });
    expect(screen.queryByLabelText('Site’s name')).toBeNull();
    expect(screen.getByText('The server’s setting SITE_NAME decides it.')).toBeVisible();
    await fill();
    await press('Set up');
    await screen.findByRole('heading', { name: 'Quire is set up' });
    expect(sent[0]).not.toHaveProperty('siteName');
  });

  it('with a wrong token in the link asks for another one, and keeps what was typed', async () => {
    const text = 'This is not the setup token that the server printed last.';
    server.use(on('POST /api/setup', () => failure(403, 'setup_token_invalid', text, { field: 'token' })));
    await open();
    await fill();
    await press('Set up');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(field('Setup token')).toHaveFocus();
    expect(field('Setup token')).toHaveValue('abc');
    expect(field('Setup token')).toHaveAccessibleDescription(`${text} The server prints it in its log when it starts.`);
    expect(field('Password')).toHaveValue('a fine password');
    expect(session.token()).toBeNull();
  });

  it('shows the server’s error at its field', async () => {
    const text = 'This password is too common.';
    server.use(on('POST /api/setup', () => failure(422, 'validation_failed', text, { field: 'password' })));
    await open();
    await fill();
    await press('Set up');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(field('Password')).toHaveFocus();
    expect(field('Password')).toHaveAccessibleDescription(`${text} At least 8 characters.`);
  });

  it('leads to the login when another person was quicker', async () => {
    server.use(on('POST /api/setup', () => failure(409, 'already_there', 'This site has been set up already.')));
    await open();
    await fill();
    await press('Set up');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('This site has been set up already.');
    expect(within(alert).getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
  });
});

describe('the test of the mails', () => {
  const result = () => screen.getAllByRole('status').find(({ className }) => className === 'setup__result');

  it('goes to the address of the admin, and says so in place', async () => {
    const sent: unknown[] = [];
    server.use(
      on('POST /api/setup/mail-test', ({ body }) => {
        sent.push(body);
        return {};
      }),
    );
    await open();
    expect(screen.getByText('smtp.example.com')).toBeVisible();
    await press('Send a test email');
    expect(result()).toHaveTextContent('Enter your email address first.');
    expect(field('Email')).toHaveFocus();
    await userEvent.type(field('Email'), 'ada@example.com');
    await press('Send a test email');
    await waitFor(() => expect(result()).toHaveTextContent('The email to ada@example.com was sent. Check that it arrives.'));
    expect(result()).not.toHaveTextContent('Enter your email address first.');
    expect(sent).toEqual([{ token: 'abc', email: 'ada@example.com' }]);
  });

  it('says what the mail server answered', async () => {
    server.use(on('POST /api/setup/mail-test', () => failure(502, 'mail_failed', 'The mail server answered: 535 Authentication failed.')));
    await open();
    await userEvent.type(field('Email'), 'ada@example.com');
    await press('Send a test email');
    await waitFor(() => expect(result()).toHaveTextContent('The mail server answered: 535 Authentication failed.'));
    expect(screen.queryByLabelText('Setup token')).toBeNull();
  });

  it('needs the token, and shows its field when it is wrong', async () => {
    server.use(on('POST /api/setup/mail-test', () => failure(403, 'setup_token_invalid', 'This is not the setup token.', { field: 'token' })));
    await open('/setup');
    await press('Send a test email');
    expect(result()).toHaveTextContent('Enter the setup token first.');
    expect(field('Setup token')).toHaveFocus();
    app?.close();
    await open('/setup#token=abc');
    await userEvent.type(field('Email'), 'ada@example.com');
    await press('Send a test email');
    await waitFor(() => expect(result()).toHaveTextContent('This is not the setup token.'));
    expect(field('Setup token')).toBeVisible();
  });

  it('without a mail server says that emails are files', async () => {
    server.use(on('POST /api/setup/mail-test', () => ({})));
    await open('/setup#token=abc', { mail: 'outbox', mailServer: null });
    expect(screen.getByText(/kept as files in the outbox folder/)).toBeVisible();
    await userEvent.type(field('Email'), 'ada@example.com');
    await press('Send a test email');
    await waitFor(() => expect(result()).toHaveTextContent('The email is in the outbox folder.'));
  });
});

describe('after the setup', () => {
  const steps = () => within(screen.getByRole('main')).getAllByRole('link');

  it('the admin is logged in, the heading has the focus, and links lead on', async () => {
    takesSetup();
    await open();
    await fill();
    await press('Set up');
    const heading = await screen.findByRole('heading', { level: 1, name: 'Pith is set up' });
    expect(heading).toHaveFocus();
    expect(session.token()).toBe('fresh');
    expect(steps().map((link) => link.getAttribute('href'))).toEqual(['/account#sign-in', '/admin', '/']);
    expect(screen.getByText('The back office asks for one when you log in the next time.')).toBeVisible();
    expect(screen.queryByText(/being loaded/)).toBeNull();
  });

  it('with demo content the books are still being loaded', async () => {
    const sent = takesSetup();
    await open();
    await fill(ADMIN, /Demo content/);
    await press('Set up');
    expect(await screen.findByText('The books are being loaded. They appear within a few minutes.')).toBeVisible();
    expect(sent).toMatchObject([{ content: 'demo' }]);
  });

  it('with another name the server’s restart is awaited first', async () => {
    takesSetup();
    const statuses = [200, 503];
    server.use(http.get('http://localhost:4000/readyz', () => new HttpResponse(null, { status: statuses.shift() ?? 200 })));
    await open();
    await userEvent.clear(field('Site’s name'));
    await fill({ 'Site’s name': 'Quill', ...ADMIN });
    await press('Set up');
    expect(await screen.findByRole('heading', { level: 1, name: 'One moment' })).toHaveFocus();
    expect(screen.getByText('The server starts again as Quill. This takes a few seconds.')).toBeVisible();
    expect(await screen.findByRole('heading', { level: 1, name: 'Quill is set up' })).toHaveFocus();
    expect(statuses).toEqual([]);
  });
});
