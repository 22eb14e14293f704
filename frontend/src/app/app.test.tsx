import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryRouter } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { routes } from '@/app/routes';
import { watchSession } from '@/app/watchSession';
import { site } from '@/lib/site';
import { accountQuery } from '@/shared/session/account';
import { sampleQuote, sampleSettings } from '@test/checkout';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { openApp } from '@test/app';

let app: ReturnType<typeof openApp> | null = null;
const open = (address: string) => (app = openApp(address));
afterEach(() => {
  app?.close();
  window.history.replaceState(null, '', '/');
});

const LONG = { timeout: 5000 };

describe('a protected page', () => {
  it('sends a visitor to sign up and remembers path and query', async () => {
    const { at } = open('/library?x=1');
    await waitFor(() => expect(at()).toBe('/signup?redirect=%2Flibrary%3Fx%3D1'), LONG);
  });

  it('redirects to the login when its session ends', async () => {
    session.start('t');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser() })),
      on('GET /api/categories', () => ({ categories: [] })),
    );
    const { at } = open('/choose-categories/edit');
    await screen.findByRole('heading', { name: 'Set Preferences' }, LONG);
    session.end('ended');
    await waitFor(() => expect(at()).toBe('/login?redirect=%2Fchoose-categories%2Fedit'), LONG);
  });
});

describe('a page that is opened with a session that is over', () => {
  it('redirects to the login', async () => {
    session.start('old');
    server.use(
      on('GET /api/library', () => failure(401, 'unauthenticated', 'Please log in.')),
      on('POST /api/user/refresh-token', () => failure(401, 'session_ended', 'Please log in again.')),
    );
    const router = createMemoryRouter(routes, { initialEntries: ['/library?x=1'] });
    // The app watches the session once its first page is loaded.
    await waitFor(() => expect(router.state.initialized).toBe(true), LONG);
    await waitFor(() => expect(session.token()).toBeNull(), LONG);
    const stop = watchSession(router);
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe('/login?redirect=%2Flibrary%3Fx%3D1'), LONG);
    stop();
    router.dispose();
  });
});

describe('a public page', () => {
  it('redirects to the login when a members’ call is refused, and comes back to where the reader was', async () => {
    session.start('t');
    server.use(
      on('GET /api/front', () => ({ hero: null, popular: [], newest: [], categories: [], bookCount: 0 })),
      on('POST /api/library', () => failure(401, 'unauthenticated', 'Please log in.')),
      on('POST /api/user/refresh-token', () => failure(401, 'session_ended', 'Please log in again.')),
    );
    const { at } = open('/?section=4');
    await screen.findByRole('heading', { name: /Read the pith/ }, LONG);
    window.history.replaceState(null, '', '/?section=4');
    await expect(call('POST /api/library', { body: { bookId: 1 } })).rejects.toMatchObject({ status: 401 });
    await waitFor(() => expect(at()).toBe('/login?redirect=%2F%3Fsection%3D4'), LONG);
  });

  it('stays, for a visitor, when no members’ call is refused', async () => {
    session.start('t');
    server.use(on('GET /api/front', () => ({ hero: null, popular: [], newest: [], categories: [], bookCount: 0 })));
    const { at } = open('/');
    await screen.findByRole('heading', { name: /Read the pith/ }, LONG);
    session.end('ended');
    await screen.findByText('Your first three are free', undefined, LONG);
    expect(at()).toBe('/');
  });
});

describe('a token in the address', () => {
  it('is exchanged for a session, removed from the address, and leads to the redirect', async () => {
    const bearers: (string | null)[] = [];
    server.use(
      on('GET /api/user/session', ({ request }) => {
        bearers.push(request.headers.get('Authorization'));
        return { token: 'full', user: sampleUser() };
      }),
    );
    const { at } = open('/login?token=once&redirect=%2Fcontact');
    await waitFor(() => expect(at()).toBe('/contact'), LONG);
    expect(bearers).toEqual(['Bearer once']);
    expect(session.token()).toBe('full');
  });

  it('of PayPal, at a checkout, signs nobody in', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/user/session', () => {
        asked.push('session');
        return failure(401, 'unauthenticated', 'Please log in.');
      }),
      on('GET /api/charge/checkout/{reference}', ({ request }) => {
        asked.push(new URL(request.url).pathname);
        return failure(404, 'not_found', 'There is no such purchase.');
      }),
    );
    const { at } = open('/payment/gift?checkout=co_1&chargeId=c-1&token=EC-1');
    await waitFor(() => expect(asked).toEqual(['/api/charge/checkout/co_1']), LONG);
    expect(at()).toBe('/payment/gift?checkout=co_1&chargeId=c-1&token=EC-1');
  });

  it('that is used up leads to the login', async () => {
    server.use(on('GET /api/user/session', () => failure(401, 'unauthenticated', 'Please log in.')));
    const { at } = open('/home?token=spent');
    await waitFor(() => expect(at()).toMatch(/^\/login\?error=/), LONG);
    expect(session.token()).toBeNull();
  });

  it('of a member with a second factor asks for it, and keeps the redirect', async () => {
    server.use(on('GET /api/user/session', () => failure(403, 'second_factor_required', 'One more.', { ticket: 'tick' })));
    const { at } = open('/home?token=once&redirect=%2Flibrary');
    expect(await screen.findByRole('heading', { name: 'One more step' }, LONG)).toBeVisible();
    expect(at()).toBe('/login?redirect=%2Flibrary');
    expect(session.token()).toBeNull();
  });
});

describe('the frame', () => {
  const hrefs = (name: string) =>
    within(screen.getByRole('navigation', { name }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);

  it('has the public links for a visitor', async () => {
    open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    expect(hrefs('Main')).toEqual([
      ['Book Summaries', '/books'],
      ['Infographics', '/infographics'],
      ['Teams', '/teams'],
      ['Blog', '/blog'],
      ['Pricing', '/try'],
    ]);
    const header = within(screen.getByRole('banner'));
    expect(header.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    expect(header.getByRole('link', { name: 'Try it free' })).toHaveAttribute('href', '/signup');
    expect(hrefs('Footer').map(([, href]) => href)).toEqual([
      '/books',
      '/authors',
      '/collections',
      '/visuals',
      '/podcasts',
      '/ai',
      '/quiz',
      '/blog',
      '/blog/whats-new',
      '/try',
      '/payment/gift',
      '/teams',
      '/refer',
      '/about',
      '/contact',
      '/terms',
      '/privacy',
    ]);
    expect(screen.getByText(/^© 2022/)).toBeInTheDocument();
  });

  it.each([
    ['/nowhere', false, 'Page not found', true],
    ['/nowhere', true, 'Page not found', false],
    ['/payment/yearly', false, 'Checkout', false],
  ])('has the offer at %s (with a plan: %s): %s', async (address, isPaid, heading, isThere) => {
    site.banner = { text: 'Less by the year.', linkText: 'See the plans', href: '/try' };
    if (isPaid) {
      session.start('t');
      queryClient.setQueryData(accountQuery().queryKey, sampleUser({ isPaid: true }));
    }
    if (address !== '/nowhere') {
      server.use(
        on('GET /api/charge/settings', () => sampleSettings()),
        on('POST /api/charge/price', () => sampleQuote('yearly')),
      );
    }
    open(address);
    await screen.findByRole('heading', { level: 1, name: heading }, LONG);
    expect(screen.queryByRole('complementary', { name: 'Offer' }) !== null).toBe(isThere);
    site.banner = null;
  });

  it('says the name, the social links and the app stores that are configured', async () => {
    const [social, stores] = [[{ name: 'Mastodon', url: 'https://social.example/@quire' }], [{ name: 'App Store', url: 'https://apps.example/quire' }]];
    Object.assign(site, { social, stores });
    open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    await waitFor(() => expect(document.title).toBe('Page not found – Quire'));
    expect(screen.getByText('© 2022 Quire')).toBeVisible();
    const footer = within(screen.getByRole('navigation', { name: 'Footer' }));
    expect(footer.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Read', 'Join', 'Quire', 'Follow', 'Apps']);
    expect(hrefs('Footer').slice(-2)).toEqual([
      ['Mastodon', 'https://social.example/@quire'],
      ['App Store', 'https://apps.example/quire'],
    ]);
    Object.assign(site, { social: [], stores: [] });
  });

  it.each(['header', 'menu of phones'])('counts a press on “Try it free” in the %s, and leads to the sign-up', async (place) => {
    const events: unknown[] = [];
    server.use(
      on('POST /api/events', ({ body }) => {
        events.push(body);
        return {};
      }),
    );
    const { at } = open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    if (place !== 'header') await userEvent.click(screen.getByRole('button', { name: 'Menu' }));
    const inside = within(place === 'header' ? screen.getByRole('banner') : screen.getByRole('navigation', { name: 'Menu' }));
    await userEvent.click(inside.getAllByRole('link', { name: 'Try it free' })[0] as HTMLElement);
    await waitFor(() => expect(at()).toBe('/signup'), LONG);
    await waitFor(() => expect(events).toEqual([{ name: 'start_for_free' }]));
  });

  it('has the dropdown for a member', async () => {
    session.start('t');
    open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    await userEvent.click(screen.getByRole('button', { name: 'Your account' }));
    expect(hrefs('Your account')).toEqual([
      ['My Home', '/home'],
      ['My Progress', '/my-progress'],
      ['Account', '/account'],
      ['My Library', '/library'],
      ['Lists', '/lists'],
      ['Highlights', '/highlights'],
      ['Review', '/review'],
      ["What's New", '/blog/whats-new'],
      ['Suggest a Book', '/contact?kind=suggest'],
      ['Contact Us', '/contact'],
      ['Refer a Friend', '/refer-a-friend'],
      ['Ten Day Challenge Results', '/ten-day-challenge'],
      ['Log out', '/logout'],
    ]);
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Your account' })).toHaveFocus();
  });

  it('has a bottom bar and one menu with everything for a member on a phone, and neither bar for a visitor', async () => {
    session.start('t');
    const { close } = open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    expect(hrefs('My pages')).toEqual([
      ['Home', '/home'],
      ['Explore', '/books'],
      ['Library', '/library'],
      ['Progress', '/my-progress'],
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }));
    const labels = hrefs('Menu').map(([label]) => label);
    expect(labels).toEqual(expect.arrayContaining(['Book Summaries', 'Blog', 'My Home', 'My Library', 'Account', 'Log out']));
    close();
    session.end('left');
    open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    expect(screen.queryByRole('navigation', { name: 'My pages' })).toBeNull();
  });

  it('folds the footer on a phone', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({ matches: media.includes('max-width'), media, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList,
    );
    open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    const groups = [...document.querySelectorAll<HTMLDetailsElement>('.footer__group')];
    expect(groups.map(({ open }) => open)).toEqual([false, false, false]);
  });

  it('shows an unknown path as not found', async () => {
    open('/nowhere/at/all');
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG)).toBeInTheDocument();
  });

  it('moves the focus to the heading after a navigation and reads the title out', async () => {
    open('/nowhere');
    await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LONG);
    await userEvent.click(screen.getByRole('link', { name: 'Contact' }));
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Contact us' })).toHaveFocus(), LONG);
    const announced = () => document.querySelector('[aria-live=polite][aria-atomic=true]');
    await waitFor(() => expect(announced()).toHaveTextContent('Contact Us – Quire'));
  });
});
