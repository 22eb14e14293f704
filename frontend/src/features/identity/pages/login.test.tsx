import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { site } from '@/lib/site';
import { secondFactorTicket, takeStoredRedirect } from '@/shared/session/signIn';
import * as LoginPage from '@/features/identity/pages/LoginPage';
import * as SignupPage from '@/features/identity/pages/SignupPage';
import { fill, openPages, press } from '@test/identity';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const open = (address: string) =>
  openPages(
    [
      { path: '/login', ...LoginPage },
      { path: '/signup', ...SignupPage },
    ],
    address,
  );
const signedIn = () => ({ token: 'fresh', user: sampleUser() });

beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  site.providers = [];
  window.history.replaceState(null, '', '/');
});

describe('a mailed link', () => {
  it('is asked for with the address alone, and its code logs in', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/user/login-link', ({ body }) => {
        bodies.push(body);
        return {};
      }),
      on('POST /api/user/login-code', ({ body }) => {
        bodies.push(body);
        return signedIn();
      }),
    );
    const { at } = open('/login?redirect=%2Flibrary');
    await fill({ Email: ' ada@example.com' });
    await press('Send me a link');
    const heading = await screen.findByRole('heading', { name: 'Check your email' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(screen.getByText('ada@example.com')).toBeVisible();
    const code = screen.getByLabelText('Code');
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    expect(code).toHaveAttribute('inputmode', 'numeric');
    await fill({ Code: '123 456' });
    await press('Log in');
    await waitFor(() => expect(at()).toBe('/library'));
    expect(bodies).toEqual([
      { email: 'ada@example.com', redirect: '/library' },
      { email: 'ada@example.com', code: '123456' },
    ]);
    expect(session.token()).toBe('fresh');
  });

  it('needs an address', async () => {
    open('/login');
    await press('Send me a link');
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify an email.');
    expect(screen.getByLabelText('Email')).toHaveFocus();
  });

  it('says that a code is wrong, can be sent again, and switches to the password', async () => {
    let sent = 0;
    server.use(
      on('POST /api/user/login-link', () => {
        sent++;
        return {};
      }),
      on('POST /api/user/login-code', () => failure(400, 'code_invalid', 'This code is not right.')),
    );
    open('/login');
    await fill({ Email: 'ada@example.com' });
    await press('Send me a link');
    await fill({ Code: '1' });
    await press('Log in');
    expect(await screen.findByRole('alert')).toHaveTextContent('This code is not right.');
    expect(screen.getByLabelText('Code')).toHaveFocus();
    await press('Send it again');
    expect(await screen.findByText('We have sent it again. Only the newest email works.')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(sent).toBe(2);
    await press('Log in another way');
    expect(await screen.findByLabelText('Email')).toHaveValue('ada@example.com');
  });

  it('waits after too many tries, and says for how long', async () => {
    server.use(
      on('POST /api/user/login-link', () => failure(429, 'too_many_tries', 'Too many attempts. Please try again in 59 minutes.', { retryAfter: 3540 })),
    );
    open('/login');
    await fill({ Email: 'ada@example.com' });
    await press('Send me a link');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 59 minutes.');
  });
});

describe('a second factor', () => {
  const asked = () => failure(403, 'second_factor_required', 'Please go on with the second step.', { ticket: 'tick' });
  const toFactor = async (address = '/login') => {
    server.use(on('POST /api/user/login', asked));
    const page = open(address);
    await fill({ Email: 'ada@example.com', Password: 'secret' });
    await press('Log in');
    await waitFor(async () => expect(await screen.findByRole('heading', { name: 'One more step' })).toHaveFocus());
    return page;
  };

  it('is asked for after the password, with the ticket, and then goes where the login wanted', async () => {
    let body: unknown;
    const { at } = await toFactor('/login?redirect=%2Flibrary');
    server.use(
      on('POST /api/user/second-factor', (seen) => {
        body = seen.body;
        return signedIn();
      }),
    );
    expect(session.token()).toBeNull();
    await fill({ Code: '123 456' });
    await press('Log in');
    await waitFor(() => expect(at()).toBe('/library'));
    expect(body).toEqual({ ticket: 'tick', code: '123456' });
    expect(secondFactorTicket.ticket()).toBeNull();
  });

  it('takes a recovery code as it was typed', async () => {
    let body: unknown;
    await toFactor();
    server.use(
      on('POST /api/user/second-factor', (seen) => {
        body = seen.body;
        return signedIn();
      }),
    );
    await press('Use a recovery code');
    expect(screen.getByRole('heading', { name: 'Use a recovery code' })).toHaveFocus();
    await fill({ 'Recovery code': ' k7pd-93xq ' });
    await press('Log in');
    await waitFor(() => expect(session.token()).toBe('fresh'));
    expect(body).toEqual({ ticket: 'tick', code: 'k7pd-93xq' });
  });

  it('stays after a wrong code', async () => {
    await toFactor();
    server.use(on('POST /api/user/second-factor', () => failure(400, 'code_invalid', 'This code is not right.', { field: 'code' })));
    await fill({ Code: '000000' });
    await press('Log in');
    expect(await screen.findByRole('alert')).toHaveTextContent('This code is not right.');
    expect(screen.getByLabelText('Code')).toHaveFocus();
  });

  it('starts over when its ticket has expired', async () => {
    await toFactor();
    server.use(on('POST /api/user/second-factor', () => failure(401, 'session_ended', 'Please log in again.')));
    await fill({ Code: '000000' });
    await press('Log in');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent('That took too long. Please log in again.');
    expect(secondFactorTicket.ticket()).toBeNull();
  });

  it('is still asked for after a reload', async () => {
    secondFactorTicket.begin('tick');
    open('/login');
    expect(await screen.findByRole('heading', { name: 'One more step' })).toBeVisible();
    await press('Start again');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible();
    expect(secondFactorTicket.ticket()).toBeNull();
  });
});

describe('a provider', () => {
  it('has a button only where it is configured', async () => {
    site.providers = ['apple', 'google', 'unheard-of'];
    open('/signup');
    expect(await screen.findByRole('button', { name: 'Sign up with Apple' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Sign up with Google' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Facebook|LinkedIn|unheard/ })).not.toBeInTheDocument();
  });

  it('is opened through /goback, with the redirect stored', async () => {
    site.providers = ['google'];
    let asked = '';
    server.use(
      on('GET /api/google/login/oauth', ({ request }) => {
        asked = new URL(request.url).search;
        return { url: 'https://accounts.example/authorize?state=s' };
      }),
    );
    const { at } = open('/login?redirect=%2Flibrary');
    await press('Log in with Google');
    await waitFor(() => expect(at()).toBe('/goback?goback=https%3A%2F%2Faccounts.example%2Fauthorize%3Fstate%3Ds&redirect=%2Flibrary'));
    expect(new URLSearchParams(asked)).toEqual(
      new URLSearchParams({ origin: 'login', redirect: '/library', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    );
    expect(sessionStorage.getItem('redirect')).toBe('/library');
  });

  it('that is down shows the error', async () => {
    site.providers = ['facebook'];
    server.use(on('GET /api/{name}/oauth', () => failure(502, 'provider_down', 'We could not reach Facebook. Please try again in a moment.')));
    open('/login');
    await press('Log in with Facebook');
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not reach Facebook. Please try again in a moment.');
  });

  it('that returns a code is called once, and its token exchanged after a second', async () => {
    sessionStorage.setItem('redirect', '/library');
    const seen: string[] = [];
    let began = 0;
    server.use(
      on('GET /api/google/login/oauth/callback', ({ request }) => {
        seen.push(new URL(request.url).search);
        began = performance.now();
        return { token: 'once', redirect: null };
      }),
      on('GET /api/user/session', ({ request }) => {
        seen.push(request.headers.get('Authorization') ?? '');
        expect(performance.now() - began).toBeGreaterThan(900);
        return signedIn();
      }),
    );
    const { at } = open('/login?type=google&code=c1&state=s1');
    expect(await screen.findByText('Checking with Google.')).toBeVisible();
    expect(window.location.search).toBe('');
    await waitFor(() => expect(at()).toBe('/library'));
    expect(seen).toEqual(['?code=c1&state=s1', 'Bearer once']);
    expect(session.token()).toBe('fresh');
  });

  it('that returns an error is reported to the server, whose message is shown above the form', async () => {
    let asked = '';
    server.use(
      on('GET /api/{name}/oauth/callback', ({ request }) => {
        expect(new URL(request.url).pathname).toBe('/api/linkedin/oauth/callback');
        asked = new URL(request.url).search;
        return failure(400, 'provider_refused', 'You did not approve the login. Please try again or use your password.');
      }),
    );
    open('/signup?type=linkedin&error=access_denied&state=s2');
    expect(await screen.findByRole('alert')).toHaveTextContent('You did not approve the login. Please try again or use your password.');
    expect(asked).toBe('?error=access_denied&state=s2');
    expect(screen.getByRole('button', { name: 'Sign up' })).toBeVisible();
  });

  it('sign-in of a member with a second factor asks for it', async () => {
    server.use(
      on('GET /api/{name}/oauth/callback', () => ({ token: 'once', redirect: null })),
      on('GET /api/user/session', () => failure(403, 'second_factor_required', 'One more.', { ticket: 'tick' })),
    );
    open('/login?type=facebook&code=c3&state=s3');
    expect(await screen.findByRole('heading', { name: 'One more step' })).toBeVisible();
    expect(session.token()).toBeNull();
  });

  it('connects the account of a signed-in member', async () => {
    session.start('mine');
    sessionStorage.setItem('redirect', '/account?connected=google');
    server.use(
      on('GET /api/google/login/oauth/callback', ({ request }) => {
        expect(request.headers.get('Authorization')).toBe('Bearer mine');
        return { token: null, redirect: null };
      }),
    );
    const { at } = open('/login?type=google&code=c4&state=s4');
    await waitFor(() => expect(at()).toBe('/account?connected=google'));
    expect(session.token()).toBe('mine');
  });

  it('that could not be connected is reported on the account page', async () => {
    session.start('mine');
    server.use(on('GET /api/google/login/oauth/callback', () => failure(409, 'already_there', 'This Google account belongs to another member.')));
    const { at } = open('/login?type=google&code=c5&state=s5');
    await waitFor(() => expect(at()).toBe('/account?error=This+Google+account+belongs+to+another+member.'));
    expect(session.token()).toBe('mine');
  });
});

describe('a passkey', () => {
  const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>();
  const browser = (conditional: boolean) => {
    vi.stubGlobal('PublicKeyCredential', {
      parseCreationOptionsFromJSON: (json: unknown) => json,
      parseRequestOptionsFromJSON: (json: unknown) => json,
      isConditionalMediationAvailable: () => Promise.resolve(conditional),
    });
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
    get.mockReset();
  };
  afterEach(() => vi.unstubAllGlobals());
  const answers = (body: (seen: unknown) => void) =>
    server.use(
      on('POST /api/user/passkey-login/options', () => ({ ceremony: 'cer', options: { publicKey: { challenge: 'x' } } as unknown as Record<string, never> })),
      on('POST /api/user/passkey-login', (seen) => {
        body(seen.body);
        return signedIn();
      }),
    );

  it('is not offered by a browser that has none', async () => {
    open('/login');
    expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Log in with a passkey' })).not.toBeInTheDocument();
  });

  it('logs in by its button', async () => {
    browser(false);
    get.mockResolvedValue({ toJSON: () => ({ id: 'key' }) });
    const body = vi.fn();
    answers(body);
    const { at } = open('/login?redirect=%2Flibrary');
    await press('Log in with a passkey');
    await waitFor(() => expect(at()).toBe('/library'));
    expect(get).toHaveBeenCalledWith({ publicKey: { challenge: 'x' } });
    expect(body).toHaveBeenCalledWith({ ceremony: 'cer', credential: { id: 'key' } });
  });

  it('that was not used shows a message', async () => {
    browser(false);
    get.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    answers(vi.fn());
    open('/login');
    await press('Log in with a passkey');
    expect(await screen.findByRole('alert')).toHaveTextContent('No passkey was used. You can try again.');
  });

  it('chosen from the list of the email field logs in', async () => {
    browser(true);
    get.mockResolvedValue({ toJSON: () => ({ id: 'key' }) });
    answers(vi.fn());
    const { at } = open('/login');
    await waitFor(() => expect(at()).toBe('/home'));
    expect(get).toHaveBeenCalledWith(expect.objectContaining({ mediation: 'conditional' }));
  });

  it('requested for autofill is aborted by the button', async () => {
    browser(true);
    let first: AbortSignal | undefined;
    get.mockImplementationOnce(({ signal }) => {
      first = signal;
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError'))));
    });
    get.mockResolvedValueOnce({ toJSON: () => ({ id: 'key' }) });
    answers(vi.fn());
    const { at } = open('/login');
    await waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    await press('Log in with a passkey');
    await waitFor(() => expect(at()).toBe('/home'));
    expect(first?.aborted).toBe(true);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('the free trial (identity.free-trial)', () => {
  const CHECKOUT = '/payment/yearly?redirect=%2Fbooks%2Fwalden';
  const QUERY = 'free-trial=true&redirect=%2Fbooks%2Fwalden';

  it('leads from the sign-up to the checkout', async () => {
    server.use(on('POST /api/user/register', signedIn));
    const { at } = open(`/signup?${QUERY}`);
    await fill({ 'First name': 'Ada', 'Last name': 'Reader', Email: 'ada@example.com', Password: 'a long secret' });
    await press('Sign up');
    await waitFor(() => expect(at()).toBe(CHECKOUT));
  });

  it('leads from the login to the checkout', async () => {
    server.use(on('POST /api/user/login', signedIn));
    const { at } = open(`/login?${QUERY}`);
    await fill({ Email: 'ada@example.com', Password: 'secret' });
    await press('Log in');
    await waitFor(() => expect(at()).toBe(CHECKOUT));
  });

  it('goes along with a mailed link, and its code leads to the checkout', async () => {
    let asked: unknown;
    server.use(
      on('POST /api/user/login-link', ({ body }) => {
        asked = body;
        return {};
      }),
      on('POST /api/user/login-code', signedIn),
    );
    const { at } = open(`/login?${QUERY}`);
    await fill({ Email: 'ada@example.com' });
    await press('Send me a link');
    await fill({ Code: '123456' });
    await press('Log in');
    await waitFor(() => expect(at()).toBe(CHECKOUT));
    expect(asked).toEqual({ email: 'ada@example.com', redirect: CHECKOUT });
  });

  it('is kept while a provider’s pages are shown', async () => {
    site.providers = ['google'];
    let asked = '';
    server.use(
      on('GET /api/google/login/oauth', ({ request }) => {
        asked = new URL(request.url).searchParams.get('redirect') ?? '';
        return { url: 'https://accounts.example/o' };
      }),
    );
    open(`/signup?${QUERY}`);
    await press('Sign up with Google');
    await waitFor(() => expect(asked).toBe(CHECKOUT));
    expect(takeStoredRedirect()).toBe(CHECKOUT);
  });

  it('leads a member who is logged in to the checkout', async () => {
    session.start('token');
    const { at } = open(`/login?${QUERY}`);
    await waitFor(() => expect(at()).toBe(CHECKOUT));
  });
});

describe('the links between login and sign-up', () => {
  it('pass on the redirect and the free trial', async () => {
    open('/login?redirect=%2Ftry&free-trial=true');
    expect(await screen.findByText('Log in to start your free trial.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup?redirect=%2Ftry&free-trial=true');
  });
});
