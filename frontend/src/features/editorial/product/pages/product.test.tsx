import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import type { ProductPage } from '@/shared/payment/product';
import { Component, loader } from '@/features/editorial/product/pages/ProductPage';
import { paths } from '@/paths';
import { sampleQuote, sampleSettings } from '@test/checkout';
import { openPages } from '@test/identity';
import { on, server } from '@test/server';

const page = (more: Partial<ProductPage> = {}): ProductPage => ({
  slug: 'try',
  path: '/try',
  title: 'Pricing',
  heading: 'Three ways to pay',
  lead: 'Try it.',
  limitReached: 'You have used up your free summaries.',
  link: null,
  offers: [
    {
      planId: 'yearly',
      name: 'Yearly',
      price: 5999,
      priceText: '$59.99',
      per: 'a year',
      note: 'Less.',
      terms: 'Free for 3 days, then $59.99 each year.',
      link: { href: '/payment/yearly', text: 'Try 3 days free' },
      recommended: true,
      badge: null,
    },
  ],
  blocks: [{ title: 'All', text: 'Of it.' }],
  questions: [],
  ...more,
});

const open = (address: string, shown: ProductPage, state?: unknown) => {
  server.use(on('GET /api/product-pages/{slug}', () => ({ page: shown })));
  return openPages(
    [paths.try, paths.pricing, paths.teams].map((path) => ({ path, Component, loader })),
    address,
    state,
  );
};

beforeEach(() => session.end('left'));

describe('the plans', () => {
  it('lead to their checkouts, and from there back to the page that led here', async () => {
    open('/try?redirect=%2Fbooks%2Fwalden', page());
    expect(await screen.findByRole('link', { name: 'Try 3 days free: Yearly' })).toHaveAttribute('href', '/payment/yearly?redirect=%2Fbooks%2Fwalden');
  });

  it('take the page along that a redirect came from', async () => {
    open('/try', page(), { target: '/video/walden', errorMessage: 'Please upgrade.' });
    expect(await screen.findByText('Please upgrade.')).toBeVisible();
    expect(screen.getByRole('link', { name: /Yearly/ })).toHaveAttribute('href', '/payment/yearly?redirect=%2Fvideo%2Fwalden');
  });

  it('lead back to no other site, and say that the limit is reached', async () => {
    open('/pricing?limit_reached=yes&redirect=%2F%2Felsewhere.example', page());
    expect(await screen.findByText('You have used up your free summaries.')).toBeVisible();
    expect(screen.getByRole('link', { name: /Yearly/ })).toHaveAttribute('href', '/payment/yearly');
  });
});

describe('seats for a team', () => {
  it('are counted, priced by the server, and bought at the checkout', async () => {
    const asked: unknown[] = [];
    server.use(
      on('GET /api/charge/settings', () => sampleSettings()),
      on('POST /api/charge/price', ({ body }) => {
        asked.push(body);
        return sampleQuote('bulk', { quantity: (body as { quantity: number }).quantity });
      }),
    );
    open('/teams', page({ slug: 'teams', offers: [] }));
    expect(await screen.findByText('$599.80')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'One more' }));
    await waitFor(() => expect(screen.getByText('$629.79')).toBeVisible());
    expect(asked.at(-1)).toEqual({ planId: 'bulk', quantity: 21 });
    expect(screen.getByRole('link', { name: 'Buy 21 seats' })).toHaveAttribute('href', '/payment/bulk?quantity=21');
    const seats = screen.getByLabelText('Seats');
    await userEvent.clear(seats);
    await userEvent.type(seats, '5');
    await userEvent.tab();
    expect(seats).toHaveAccessibleDescription(/Please choose a quantity >= 20/);
  });
});
