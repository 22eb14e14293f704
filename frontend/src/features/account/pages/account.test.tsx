import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { User } from '@/api/types';
import * as AccountPage from '@/features/account/pages/AccountPage';
import { isActive } from '@/features/account/plan';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

function open(more: Partial<User> = {}) {
  server.use(on('GET /api/user/account', () => ({ user: sampleUser(more) })));
  const router = createMemoryRouter([{ path: '/account', ...AccountPage }], { initialEntries: ['/account'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

beforeEach(() => session.start('token'));

describe('the account', () => {
  it('shows the e-mail and where things are changed', async () => {
    open();
    expect(await screen.findByText('ada@example.com')).toBeVisible();
    const links = { Preferences: '/choose-categories/edit', Privacy: '/privacy', Terms: '/terms', 'Delete Account': '/account/delete', Logout: '/logout' };
    for (const [name, href] of Object.entries(links)) expect(screen.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveAttribute('href', href);
  });

  it('offers the upgrade on the free plan', async () => {
    open();
    expect(await screen.findByText('Free Plan')).toBeVisible();
    expect(screen.getByText('Upgrade to access unlimited summaries')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/try');
  });

  it('shows a running plan with its end', async () => {
    open({ isPaid: true, planName: 'Yearly', paidDate: 1, endPaidDate: Date.UTC(2999, 2, 14, 12) });
    expect(await screen.findByText('Active')).toBeVisible();
    expect(screen.getByText('Yearly')).toBeVisible();
    expect(screen.getByText('Until March 14, 2999')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Upgrade Now' })).not.toBeInTheDocument();
  });

  it('keeps its links when the account does not come', async () => {
    open();
    server.use(on('GET /api/user/account', () => failure(503, 'busy', 'Too busy right now.')));
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    expect(screen.getByRole('link', { name: 'Logout' })).toBeVisible();
  });
});

describe('a plan is active', () => {
  const NOW = 1_000;
  it.each([
    [null, null, false],
    [0, null, false],
    [1, null, true],
    [1, NOW + 1, true],
    [1, NOW, false],
  ])('paid %s, until %s: %s', (paidDate, endPaidDate, active) => {
    expect(isActive({ paidDate, endPaidDate }, NOW)).toBe(active);
  });
});
