import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Allowance, User } from '@/api/types';
import * as AccountPage from '@/app/account/AccountPage';
import type { Security } from '@/shared/session/security';
import type { Device } from '@/features/identity/account/queries';
import { Toaster } from '@/ui/toast';
import { sampleDevices, sampleSecurity } from '@test/account';
import { freePlan, sampleBilling } from '@test/membership';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

interface World {
  user?: Partial<User>;
  security?: Partial<Security>;
  devices?: Device[];
  /** The free-summary allowance; null with a plan. */
  allowance?: Allowance | null;
  address?: string;
}

/** Renders the account page against a server with this member. */
function open({ user = {}, security = {}, devices = sampleDevices(), allowance = { left: 3, total: 3 }, address = '/account' }: World = {}) {
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser(user) })),
    on('GET /api/user/security', () => sampleSecurity(security)),
    on('GET /api/user/sessions', () => ({ sessions: devices })),
    on('GET /api/user/allowance', () => ({ allowance, opened: [] })),
    on('GET /api/user/billing', () => sampleBilling(freePlan())),
  );
  const router = createMemoryRouter(
    [
      { path: '/account', ...AccountPage },
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

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const type = async (label: string, value: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, value);
};
const said = (text: string | RegExp) => screen.findByText(text, { selector: '.toast' });

beforeEach(() => session.start('token'));

describe('the account', () => {
  it('shows the email and where things are changed', async () => {
    open();
    expect(await screen.findByText('ada@example.com')).toBeVisible();
    const links = {
      Preferences: '/choose-categories/edit',
      'Daily email': '/ten-day-challenge#daily-mail',
      Privacy: '/privacy',
      Terms: '/terms',
      'Delete Account': '/account/delete',
      'Log out': '/logout',
    };
    for (const [name, href] of Object.entries(links)) expect(screen.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveAttribute('href', href);
  });

  it('offers the upgrade on the free plan', async () => {
    open();
    expect(await screen.findByText('Free Plan')).toBeVisible();
    expect(screen.getByText('Upgrade to access unlimited summaries')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/try');
  });

  it('tells what is left of the free summaries, and what brings more', async () => {
    open({ allowance: { left: 2, total: 3 } });
    expect(await screen.findByText(/^2 of 3 free summaries left\. After that, you get one each month\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Invite a friend' })).toHaveAttribute('href', '/refer-a-friend');
  });

  it('tells when the next free summary comes, and offers no second invitation', async () => {
    open({ allowance: { left: 0, total: 4 }, user: { friendEmail: 'bob@example.com' } });
    expect(await screen.findByText(/^You have read your free summaries\. The next one comes on \w+ 1\.$/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Invite a friend' })).not.toBeInTheDocument();
  });

  it('shows the rest when a part fails to load, and retries it', async () => {
    open();
    server.use(on('GET /api/user/account', () => failure(503, 'busy', 'Too busy right now.')));
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    expect(screen.getByRole('link', { name: 'Log out' })).toBeVisible();
    expect(await screen.findByText('Safari on iPhone')).toBeVisible();
    server.use(on('GET /api/user/account', () => ({ user: sampleUser() })));
    await press('Try again');
    expect(await screen.findByText('ada@example.com')).toBeVisible();
  });

  it('leads from its index to its parts, and the heading takes the focus', async () => {
    open();
    const index = await screen.findByRole('navigation', { name: 'On this page' });
    await userEvent.click(within(index).getByText('Devices'));
    expect(screen.getByRole('heading', { name: 'Devices' })).toHaveFocus();
  });

  it('shows a provider’s error', async () => {
    const router = open({ address: '/account?error=You+did+not+approve+the+login.' });
    expect(await screen.findByRole('alert')).toHaveTextContent('You did not approve the login.');
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(screen.getByRole('alert')).toBeVisible();
  });

  it('says that a provider is connected, once it is', async () => {
    const router = open({ address: '/account?connected=google', security: { providers: [{ name: 'google', connected: true, email: 'ada@gmail.example' }] } });
    expect(await said('Google is connected.')).toBeVisible();
    expect(router.state.location.search).toBe('');
  });
});

describe('the profile', () => {
  it('saves a new name in place and gives the focus back', async () => {
    let sent: unknown;
    open();
    server.use(
      on('PUT /api/user/account', ({ body }) => {
        sent = body;
        return { user: sampleUser({ firstName: 'Grace' }) };
      }),
    );
    await press('Change your name');
    expect(screen.getByLabelText('First name')).toHaveFocus();
    await type('First name', ' Grace ');
    await press('Save');
    expect(await screen.findByText('Grace Reader')).toBeVisible();
    expect(sent).toEqual({ firstName: 'Grace', lastName: 'Reader', timezone: 'UTC' });
    expect(screen.getByRole('button', { name: 'Change your name' })).toHaveFocus();
    expect(await said('Your name is saved.')).toBeVisible();
  });

  it('leaves the name as it was on Escape and on Cancel', async () => {
    open();
    for (const leave of [() => userEvent.keyboard('{Escape}'), () => press('Cancel')]) {
      await press('Change your name');
      await type('First name', 'Nobody');
      await leave();
      expect(await screen.findByText('Ada Reader')).toBeVisible();
      expect(screen.getByRole('button', { name: 'Change your name' })).toHaveFocus();
    }
  });

  it('says what is missing at the field, and what the server says too', async () => {
    open();
    server.use(on('PUT /api/user/account', () => failure(422, 'validation_failed', 'This name is too long.', { field: 'lastName' })));
    await press('Change your name');
    await userEvent.clear(screen.getByLabelText('First name'));
    await press('Save');
    expect(screen.getByLabelText('First name')).toHaveAccessibleDescription('Your first name is missing.');
    await type('First name', 'Ada');
    await press('Save');
    await waitFor(() => expect(screen.getByLabelText('Last name')).toHaveAccessibleDescription('This name is too long.'));
    expect(screen.getByLabelText('Last name')).toHaveFocus();
  });

  it('offers the zone of the device and every zone that the browser knows', async () => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zone = own === 'Asia/Tokyo' ? 'Europe/Berlin' : 'Asia/Tokyo';
    let sent: unknown;
    open({ user: { timezone: zone } });
    server.use(
      on('PUT /api/user/account', ({ body }) => {
        sent = body;
        return { user: sampleUser({ timezone: own }) };
      }),
    );
    await press('Change your time zone');
    expect(document.querySelectorAll('datalist option').length).toBeGreaterThan(300);
    await press(/^Use /);
    expect(screen.getByLabelText('Time zone')).toHaveValue(own);
    await press('Save');
    await said('Your time zone is saved.');
    expect(sent).toMatchObject({ timezone: own });
  });

  it('refuses an unknown zone', async () => {
    open();
    await press('Change your time zone');
    await type('Time zone', 'Mars/Olympus');
    await press('Save');
    await waitFor(() => expect(screen.getByLabelText('Time zone')).toHaveAttribute('aria-invalid', 'true'));
    expect(screen.getByLabelText('Time zone')).toHaveAccessibleDescription(/There is no such time zone/);
  });

  it('asks for the password before it sends a link to a new address, and shows that it waits', async () => {
    let sent: unknown;
    open();
    await press('Change your email address');
    server.use(
      on('PUT /api/user/email', ({ body }) => {
        sent = body;
        return {};
      }),
      on('GET /api/user/security', () => sampleSecurity({ pendingEmail: 'grace@example.com' })),
    );
    await type('New email address', 'grace@example.com');
    await type('Current password', 'secret enough');
    await press('Send the link');
    await said('We sent a link to grace@example.com. Your address will change once you follow it.');
    expect(sent).toEqual({ email: 'grace@example.com', currentPassword: 'secret enough' });
    expect(screen.getByText(/once you follow the link/)).toHaveTextContent('grace@example.com');
    expect(screen.getByText('ada@example.com')).toBeVisible();
  });

  it('cancels a change of the address', async () => {
    const kept = vi.fn();
    open({ security: { pendingEmail: 'typo@example.com' } });
    const keep = await screen.findByRole('button', { name: 'Keep my address' });
    server.use(
      on('DELETE /api/user/pending-email', () => {
        kept();
        return {};
      }),
      on('GET /api/user/security', () => sampleSecurity()),
    );
    await userEvent.click(keep);
    await said('Your address stays ada@example.com.');
    expect(kept).toHaveBeenCalledOnce();
    expect(screen.queryByText(/typo@example.com/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Change your email address' })).toHaveFocus();
  });

  it('asks for no password of a member without one', async () => {
    open({ security: { hasPassword: false } });
    await screen.findByText('You have no password: you log in another way.');
    await press('Change your email address');
    expect(screen.queryByLabelText('Current password')).not.toBeInTheDocument();
  });

  it.each(['Cancel', 'Escape'])('gives the focus back to the button that opened the form, by %s', async (how) => {
    open({ security: { emailConfirmed: false } });
    await screen.findByRole('button', { name: 'Send it again' });
    await press('Change your email address');
    await (how === 'Cancel' ? press('Cancel') : userEvent.keyboard('{Escape}'));
    expect(await screen.findByRole('button', { name: 'Change your email address' })).toHaveFocus();
  });

  it('sends the mail to confirm the address again', async () => {
    const asked = vi.fn();
    open({ security: { emailConfirmed: false } });
    server.use(
      on('POST /api/user/confirm-email/send', () => {
        asked();
        return {};
      }),
    );
    await press('Send it again');
    expect(await screen.findByText('The email is on its way. Please check your inbox.')).toHaveRole('status');
    expect(asked).toHaveBeenCalledOnce();
  });
});

describe('the password', () => {
  const FIELDS = { 'Current password': 'the old one here', 'New Password': 'a new one here', 'Confirm New Password': 'a new one here' };

  it('is changed, and the devices are refetched', async () => {
    let sent: unknown;
    open();
    await screen.findByText('Safari on iPhone');
    await press('Change your password');
    for (const [label, value] of Object.entries(FIELDS)) await type(label, value);
    server.use(
      on('PUT /api/user/password', ({ body }) => {
        sent = body;
        return {};
      }),
      on('GET /api/user/sessions', () => ({ sessions: sampleDevices().slice(0, 1) })),
    );
    await press('Change password');
    await said('Your password was changed. All your other devices were logged out.');
    expect(sent).toEqual({ currentPassword: 'the old one here', password1: 'a new one here', password2: 'a new one here' });
    expect(screen.queryByText('Safari on iPhone')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Change your password' })).toHaveFocus();
  });

  it.each([
    [400, 'invalid_credentials', 'This is not your current password.', 'currentPassword', 'Current password'],
    [422, 'validation_failed', 'The passwords do not match.', 'password2', 'Confirm New Password'],
  ])('%i: says at the field what the server says', async (status, code, text, field, label) => {
    open();
    server.use(on('PUT /api/user/password', () => failure(status, code, text, { field })));
    await press('Change your password');
    for (const [name, value] of Object.entries(FIELDS)) await type(name, value);
    await press('Change password');
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(text));
    expect(screen.getByLabelText(label)).toHaveFocus();
    expect(screen.getByLabelText('New Password')).toHaveValue('a new one here');
  });

  it('waits after too many tries', async () => {
    open();
    server.use(on('PUT /api/user/password', () => failure(429, 'too_many_requests', 'Too many attempts. Please try again in 5 minutes.', { retryAfter: 300 })));
    await press('Change your password');
    for (const [name, value] of Object.entries(FIELDS)) await type(name, value);
    await press('Change password');
    expect(await screen.findByRole('alert')).toHaveTextContent(/Please try again in 5 minutes\./);
    expect(screen.getByRole('button', { name: /^Try again in/ })).toHaveAttribute('aria-disabled', 'true');
  });

  it('is set for the first time without an old one', async () => {
    let sent: unknown;
    open({ security: { hasPassword: false } });
    server.use(
      on('PUT /api/user/password', ({ body }) => {
        sent = body;
        return {};
      }),
    );
    await press('Set a password');
    await type('New Password', 'a new one here');
    await type('Confirm New Password', 'a new one here');
    await press('Set password');
    await waitFor(() => expect(sent).toEqual({ password1: 'a new one here', password2: 'a new one here' }));
  });
});

describe('devices', () => {
  it('shows this one first, without a way to end it', async () => {
    open({ devices: sampleDevices().reverse() });
    const [first, second] = within(await screen.findByRole('list', { name: 'Your devices' })).getAllByRole('listitem');
    expect(first).toHaveTextContent('Chrome on Linux This device');
    expect(first && within(first).queryByRole('button')).toBeNull();
    expect(second).toHaveTextContent('Germany. Last seen 1 hour ago.');
  });

  it('ends one at once', async () => {
    open();
    let ended: string | undefined;
    server.use(
      on('DELETE /api/user/sessions/{id}', ({ request }) => {
        ended = request.url.split('/').at(-1);
        server.use(on('GET /api/user/sessions', () => ({ sessions: sampleDevices().slice(0, 1) })));
        return {};
      }),
    );
    await press('Log out Safari on iPhone, Germany');
    expect(screen.queryByText('Safari on iPhone')).not.toBeInTheDocument();
    expect(screen.getByRole('list', { name: 'Your devices' })).toHaveFocus();
    await said('Safari on iPhone was logged out.');
    expect(ended).toBe('2');
    expect(screen.getByText('This is your only device.')).toBeVisible();
  });

  it('shows a session again that could not be ended, with the error', async () => {
    open();
    server.use(on('DELETE /api/user/sessions/{id}', () => failure(503, 'busy', 'Too busy right now.')));
    await press('Log out Safari on iPhone, Germany');
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    expect(await screen.findByText('Safari on iPhone')).toBeVisible();
  });

  it('asks before it ends all others', async () => {
    open();
    await press('Log out all other devices');
    const dialog = screen.getByRole('dialog', { name: 'Log out all other devices?' });
    server.use(
      on('DELETE /api/user/sessions', () => {
        server.use(on('GET /api/user/sessions', () => ({ sessions: sampleDevices().slice(0, 1) })));
        return {};
      }),
    );
    await userEvent.click(within(dialog).getByRole('button', { name: 'Log them out' }));
    await said('All your other devices were logged out.');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByText('Safari on iPhone')).not.toBeInTheDocument();
  });
});
