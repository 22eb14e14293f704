import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { REFERRAL_VALIDITY, referralId } from '@/shared/referral/referralId';
import { openApp } from '@test/app';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const LONG = { timeout: 5000 };
let app: ReturnType<typeof openApp> | null = null;

afterEach(() => {
  app?.close();
  localStorage.clear();
  vi.restoreAllMocks();
});

const heading = (level: number, name: string | RegExp) => screen.findByRole('heading', { level, name }, LONG);
const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextSibling;

describe('/r/{id}', () => {
  it('remembers who referred for 90 days, counts the click, and leads to the front page', async () => {
    const clicks: string[] = [];
    server.use(
      on('POST /api/referral/click/{id}', ({ request }) => {
        clicks.push(new URL(request.url).pathname);
        return {};
      }),
      on('GET /api/front', () => ({ hero: null, popular: [], newest: [], categories: [], bookCount: 0 })),
    );
    const before = Date.now();
    app = openApp('/r/ada-7');
    expect(await screen.findByText('Redirecting you.', undefined, LONG)).toBeInTheDocument();
    await waitFor(() => expect(app?.at()).toBe('/'), LONG);
    expect(localStorage.getItem('rId')).toBe('ada-7');
    expect(referralId(before + REFERRAL_VALIDITY - 1)).toBe('ada-7');
    expect(referralId(Date.now() + REFERRAL_VALIDITY)).toBeNull();
    await waitFor(() => expect(clicks).toEqual(['/api/referral/click/ada-7']));
  });

  it('leads on when the click can’t be counted', async () => {
    server.use(
      on('POST /api/referral/click/{id}', () => failure(503, 'busy', 'Busy.')),
      on('GET /api/front', () => ({ hero: null, popular: [], newest: [], categories: [], bookCount: 0 })),
    );
    app = openApp('/r/ada-7');
    await waitFor(() => expect(app?.at()).toBe('/'), LONG);
  });
});

describe('/refer-a-friend', () => {
  const LINK = 'https://quire.example/r/ada-7';
  const open = () => {
    session.start('token');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser() })),
      on('GET /api/user/refers', () => ({ rId: 'ada-7', link: LINK, clicks: 12, refers: [{ num: 2, money: 2249 }], pending: 1499, payable: 750, paid: 0 })),
    );
    app = openApp('/refer-a-friend');
  };

  it('copies the link', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
    open();
    expect(await screen.findByLabelText('Your referral link', undefined, LONG)).toHaveValue(LINK);
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(writeText).toHaveBeenCalledWith(LINK);
    expect(await screen.findByText('Link copied.')).toBeVisible();
  });

  it('shares the link by Twitter, Facebook and email', async () => {
    open();
    await screen.findByLabelText('Your referral link', undefined, LONG);
    const href = (name: RegExp) => new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '');
    expect(href(/^Share on Twitter/).searchParams.get('url')).toBe(LINK);
    expect(href(/^Share on Facebook/).searchParams.get('u')).toBe(LINK);
    expect(decodeURIComponent(href(/^Share by email/).search)).toContain(LINK);
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  });

  it('shares the link by the device’s own sheet where there is one', async () => {
    const share = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue();
    Object.defineProperty(navigator, 'share', { configurable: true, value: share });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'More' }, LONG));
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: LINK }));
    Reflect.deleteProperty(navigator, 'share');
  });

  it('says how many came and what was earned, pending included', async () => {
    open();
    await heading(2, 'Results');
    expect(figure('Clicks')).toHaveTextContent('12');
    expect(figure('Friends who subscribed')).toHaveTextContent('2');
    expect(figure('Earned')).toHaveTextContent('$22.49');
    expect(figure('Pending')).toHaveTextContent('$14.99');
    expect(figure('Due to you')).toHaveTextContent('$7.50');
  });

  it('keeps the form when the link can’t be loaded', async () => {
    session.start('token');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser() })),
      on('GET /api/user/refers', () => failure(503, 'busy', 'Too busy right now.')),
    );
    app = openApp('/refer-a-friend');
    expect(await screen.findByRole('alert', undefined, LONG)).toHaveTextContent('Too busy right now.');
    expect(screen.getByRole('button', { name: 'Send invitation' })).toBeVisible();
  });
});

describe('/invite', () => {
  const none = { joined: false, link: null, clicks: 0, purchases: 0, commission: { pending: 0, payable: 0, paid: 0 } };

  it('sends a visitor to sign up, and back', async () => {
    app = openApp('/invite');
    await waitFor(() => expect(app?.at()).toBe('/signup?redirect=%2Finvite'), LONG);
  });

  it('joins with one press, then shows the link and its figures', async () => {
    session.start('token');
    server.use(
      on('GET /api/affiliate', () => none),
      on('POST /api/affiliate', () => ({ ...none, joined: true, link: 'https://quire.example/r/aff-1' })),
    );
    app = openApp('/invite');
    await userEvent.click(await screen.findByRole('button', { name: 'Join' }, LONG));
    expect(await screen.findByLabelText('Your affiliate link')).toHaveValue('https://quire.example/r/aff-1');
    expect(figure('Purchases')).toHaveTextContent('0');
  });

  it('shows clicks, purchases and commission', async () => {
    session.start('token');
    server.use(
      on('GET /api/affiliate', () => ({
        joined: true,
        link: 'https://quire.example/r/aff-1',
        clicks: 1234,
        purchases: 3,
        commission: { pending: 599, payable: 1198, paid: 99 },
      })),
    );
    app = openApp('/invite');
    await heading(2, 'Results');
    expect(figure('Clicks')).toHaveTextContent('1,234');
    expect(figure('Commission')).toHaveTextContent('$18.96');
    expect(figure('Paid out')).toHaveTextContent('$0.99');
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'the affiliate program' })).toHaveAttribute('href', '/affiliate');
  });

  it('says why joining failed', async () => {
    session.start('token');
    server.use(
      on('GET /api/affiliate', () => none),
      on('POST /api/affiliate', () => failure(403, 'not_confirmed', 'Please confirm your email address first.')),
    );
    app = openApp('/invite');
    await userEvent.click(await screen.findByRole('button', { name: 'Join' }, LONG));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please confirm your email address first.');
  });
});
