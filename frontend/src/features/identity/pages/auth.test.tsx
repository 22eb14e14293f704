import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import * as LoginPage from '@/features/identity/pages/LoginPage';
import { recentSearches, storeSearch } from '@/shared/catalogue/recentSearches';
import * as LogoutPage from '@/features/identity/pages/LogoutPage';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { storeIdea, unsentIdeas } from '@/shared/study/unsentIdeas';
import { rememberDailyMax, storedDailyMax } from '@/shared/study/dailyMax';
import * as SignupPage from '@/features/identity/pages/SignupPage';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/signup', ...SignupPage },
      { path: '/login', ...LoginPage },
      { path: '/logout', ...LogoutPage },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

const scrollTo = vi.fn();
beforeEach(() => {
  scrollTo.mockClear();
  vi.spyOn(window, 'scrollTo').mockImplementation(scrollTo);
});

const fill = async (fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) await userEvent.type(await screen.findByLabelText(label), value);
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('sign-up', () => {
  const ALL = { 'First name': 'Ada', 'Last name': 'Reader', Email: 'ada@example.com', Password: 'a fine password' };

  it.each(Object.keys(ALL))('without %s shows the error and sends no request', async (left) => {
    open('/signup');
    await fill(Object.fromEntries(Object.entries(ALL).filter(([label]) => label !== left)));
    await press('Sign up');
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify an email or password or first name or last name.');
    const field = screen.getByLabelText(left);
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(field).toHaveAccessibleDescription(/ is missing\./);
    expect(field).toHaveFocus();
    expect(scrollTo).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }));
    await userEvent.type(field, 'x');
    expect(field).not.toHaveAttribute('aria-invalid');
  });

  it('sends the four fields and the time zone, keeps the token, and goes to choose categories', async () => {
    let body: unknown;
    server.use(
      on('POST /api/user/register', (seen) => {
        body = seen.body;
        return { token: 'fresh', user: sampleUser() };
      }),
    );
    const router = open('/signup');
    await fill(ALL);
    await press('Sign up');
    await waitFor(() => expect(router.state.location.pathname).toBe('/choose-categories/new'));
    expect(body).toEqual({
      username: 'ada@example.com',
      password: 'a fine password',
      firstName: 'Ada',
      lastName: 'Reader',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(session.token()).toBe('fresh');
  });

  it('sends a payment that was made before', async () => {
    sessionStorage.setItem('chargeId', 'ch_1');
    let body: unknown;
    server.use(
      on('POST /api/user/register', (seen) => {
        body = seen.body;
        return { token: 'fresh', user: sampleUser() };
      }),
    );
    const router = open('/signup?redirect=/books/meditations');
    await fill(ALL);
    await press('Sign up');
    await waitFor(() => expect(router.state.location.pathname).toBe('/books/meditations'));
    expect(body).toMatchObject({ chargeId: 'ch_1' });
    expect(sessionStorage.getItem('chargeId')).toBeNull();
  });

  it('shows a taken address with links, and keeps what was typed', async () => {
    const text = 'This email address is already taken. Please log in or reset your password.';
    server.use(on('POST /api/user/register', () => failure(409, 'email_taken', text, { field: 'username' })));
    open('/signup');
    await fill(ALL);
    await press('Sign up');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(text);
    expect(alert.querySelector('a[href="/forgot-password"]')).not.toBeNull();
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
    expect(screen.getByLabelText('Email')).toHaveAttribute('aria-invalid', 'true');
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(text);
  });

  it('shows the error of the address', async () => {
    open('/signup?error=Something%20odd');
    expect(await screen.findByRole('alert')).toHaveTextContent('Something odd');
  });

  it('leads to the login and hands the redirect on', async () => {
    open('/signup?redirect=/library');
    expect(await screen.findByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login?redirect=%2Flibrary');
  });
});

describe('login', () => {
  it.each([{ Email: 'ada@example.com' }, { Password: 'secret' }, { Email: '   ', Password: 'secret' }])('with only %j says what is missing', async (fields) => {
    open('/login');
    await fill(fields);
    await press('Log in');
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify an email or password.');
  });

  it.each([
    ['/login', '/home'],
    ['/login?redirect=%2Flibrary%3Fa%3D1', '/library?a=1'],
    ['/login?redirect=https%3A%2F%2Fevil.example', '/home'],
    ['/login?redirect=%2F%2Fevil.example', '/home'],
  ])('at %s goes on to %s', async (address, target) => {
    server.use(on('POST /api/user/login', () => ({ token: 'fresh', user: sampleUser() })));
    const router = open(address);
    await fill({ Email: 'ada@example.com', Password: 'secret' });
    await press('Log in');
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(target));
  });

  it('shows the server\u2019s error and scrolls up', async () => {
    server.use(on('POST /api/user/login', () => failure(400, 'invalid_credentials', 'The email or password is not correct.')));
    open('/login');
    await fill({ Email: 'ada@example.com', Password: 'wrong' });
    await press('Log in');
    expect(await screen.findByRole('alert')).toHaveTextContent('The email or password is not correct.');
    expect(scrollTo).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }));
    expect(session.token()).toBeNull();
  });

  it('is skipped by a signed-in member', async () => {
    session.start('t');
    const router = open('/login?redirect=/account');
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
  });

  it('is shown to a member who has to log in again', async () => {
    session.start('t');
    open('/login?redirect=%2Faccount&again=1');
    expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible();
  });
});

describe('logout', () => {
  it.each([
    ['says so', () => ({})],
    ['fails', () => failure(500, 'internal', 'Oh.')],
  ])('ends here and at the front page, whether the server %s', async (_, answer) => {
    session.start('mine');
    localStorage.setItem('tokenDate', String(Date.now()));
    storeSearch('a private matter');
    rememberDailyMax(7, 35);
    let bearer: string | null = null;
    server.use(
      on('POST /api/user/logout', ({ request }) => {
        bearer = request.headers.get('Authorization');
        return answer();
      }),
    );
    const router = open('/logout');
    expect(await screen.findByText('Logging you out.')).toBeInTheDocument();
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(bearer).toBe('Bearer mine');
    expect([localStorage.getItem('token'), localStorage.getItem('tokenDate')]).toEqual([null, null]);
    // The next person at this browser does not see the recent searches.
    expect(recentSearches()).toEqual([]);
    expect(storedDailyMax(7)).toBeNull();
  });

  it('sends completed ideas first, and asks before it removes what could not be sent (study.completed-ideas)', async () => {
    session.start('mine');
    copiesOwner.set(7);
    let isDown = true;
    server.use(
      on('POST /api/user/logout', () => ({})),
      on('GET /api/user/account', () => ({ user: sampleUser({ id: 7 }) })),
      on('POST /api/study/completed-ideas', () => (isDown ? failure(503, 'busy', 'Busy.') : {})),
    );
    storeIdea({ member: 7, bookId: 3, idea: 'Listen first', at: 1 });
    const router = open('/logout');
    expect(await screen.findByText(/^1 change that you made offline has not reached/)).toBeVisible();
    expect(unsentIdeas(7)).toHaveLength(1);
    await press('Log out anyway');
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(unsentIdeas(7)).toEqual([]);
    isDown = false;
    session.start('mine');
    copiesOwner.set(7);
    storeIdea({ member: 7, bookId: 3, idea: 'Listen first', at: 1 });
    await act(() => router.navigate('/logout'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(unsentIdeas(7)).toEqual([]);
  });

  it('ends the push messages in this browser (study.push-messages)', async () => {
    session.start('token');
    const unsubscribe = vi.fn(() => Promise.resolve(true));
    const registration = { pushManager: { getSubscription: () => Promise.resolve({ unsubscribe }) } };
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { getRegistration: () => Promise.resolve(registration) } });
    try {
      server.use(on('POST /api/user/logout', () => ({})));
      const router = open('/logout');
      await waitFor(() => expect(router.state.location.pathname).toBe('/'));
      await waitFor(() => expect(unsubscribe).toHaveBeenCalledOnce());
    } finally {
      delete (navigator as unknown as Record<string, unknown>)['serviceWorker'];
    }
  });
});
