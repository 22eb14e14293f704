import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { CHOICES_VALIDITY, carryChoices, storeChoices, storedChoices } from '@/shared/session/onboardingChoices';
import * as GetStartedPage from '@/features/challenge/onboarding/pages/GetStartedPage';
import * as SecretPage from '@/features/challenge/onboarding/pages/SecretPage';
import type { Onboarding } from '@/features/challenge/onboarding/queries';
import { openPages, press } from '@test/identity';
import { sampleBook, sampleCategories } from '@test/samples';
import { failure, on, server } from '@test/server';

const page = (figures: Partial<Onboarding['figures']> = {}): Onboarding => ({
  goals: [1, 2].map((id) => ({ id, title: `Goal ${id}`, shortTitle: `Short ${id}`, mobileTitle: `Mobile ${id}`, desc: '', photo: null, photov2: null })),
  categories: sampleCategories(),
  books: [1, 2, 3, 4, 5].map((id) => sampleBook(id)),
  figures: { readers: null, reads: null, ratings: null, rating: null, ...figures },
});

const open = (address: string) =>
  openPages(
    [
      { path: '/get-started', ...GetStartedPage },
      { path: '/secret', ...SecretPage },
    ],
    address,
  );
const bar = () => screen.findByRole('progressbar', { name: 'Progress' });
const isAt = (percent: string) => waitFor(async () => expect(await bar()).toHaveAttribute('aria-valuenow', percent));

beforeEach(() => {
  session.end('left');
  server.use(
    on('GET /api/onboarding', () => page()),
    on('GET /api/onboarding/books', () => ({ books: page().books })),
    on('GET /api/product-pages/{slug}', () => failure(404, 'not_found', 'Not found.')),
  );
});

afterEach(() => vi.useRealTimers());

describe('getting started', () => {
  it('goes through six steps with 0, 33, 50, 67 and 83 percent, and keeps what was chosen', async () => {
    const { at } = open('/get-started');
    await isAt('0');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Goal 2' }));
    await press('Continue');
    await isAt('33');
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Science' }));
    await press('Continue');
    await isAt('50');
    await press('Continue');
    await isAt('67');
    await press('Show me');
    await isAt('83');
    for (const [i, name] of ['I would', 'Not for me', 'I would', 'Not for me'].entries()) {
      expect(screen.getByText(`Book ${i + 1}`)).toBeInTheDocument();
      await press(name);
    }
    await press('Not for me');
    expect(at()).toBe('/get-started?step=6');
    expect(storedChoices()).toEqual({ goals: [2], categories: [2] });
  });

  it('shows only figures that the server has counted', async () => {
    open('/get-started?step=3');
    expect(await screen.findByRole('heading', { level: 1, name: 'Fifteen minutes, one great book' })).toBeInTheDocument();
    document.body.replaceChildren();
    server.use(on('GET /api/onboarding', () => page({ readers: 1234, ratings: 8, rating: 4.5 })));
    const { queryClient } = await import('@/api/queryClient');
    queryClient.clear();
    open('/get-started?step=3');
    expect(await screen.findByText('1,234')).toBeInTheDocument();
    expect(screen.getByText('4.5 of 5')).toBeInTheDocument();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  it('counts one percent in 20 ms, then leads to the list', async () => {
    const { at } = open('/get-started?step=5');
    await screen.findByText('Book 1');
    for (let i = 0; i < 4; i++) await press('I would');
    vi.useFakeTimers({ shouldAdvanceTime: false });
    act(() => screen.getByRole('button', { name: 'I would' }).click());
    await act(() => vi.advanceTimersByTimeAsync(0));
    const counter = screen.getByRole('progressbar', { name: 'Personalizing' });
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(counter).toHaveAttribute('aria-valuenow', '50');
    await act(() => vi.advanceTimersByTimeAsync(980));
    expect(at()).toBe('/get-started?step=6');
    await act(() => vi.advanceTimersByTimeAsync(40));
    expect(at()).toBe('/secret');
  });

  it('skips the counter by a press', async () => {
    const { at } = open('/get-started?step=6');
    await press('Skip');
    await waitFor(() => expect(at()).toBe('/secret'));
  });
});

describe('the list at the end', () => {
  it('shows what was chosen, five books that fit, and the sign-up', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/onboarding/books', ({ request }) => {
        asked.push(new URL(request.url).search);
        return { books: page().books };
      }),
    );
    storeChoices({ goals: [1, 2], categories: [1] });
    open('/secret');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your list is ready' })).toBeInTheDocument();
    expect(await screen.findByText('Short 1')).toBeInTheDocument();
    expect(screen.getByText('Philosophy')).toBeInTheDocument();
    const books = await screen.findByRole('region', { name: 'Five books that fit' });
    await waitFor(() => expect(within(books).getAllByRole('article')).toHaveLength(5));
    expect(asked).toEqual(['?categories=1&goals=1%2C2']);
    expect(screen.getByRole('link', { name: 'Try it free' })).toHaveAttribute('href', '/signup');
  });

  it('shows popular books when nothing was chosen', async () => {
    open('/secret');
    expect(await screen.findByRole('heading', { level: 1, name: 'Five to start with' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Tell us what you are curious about' })).toHaveAttribute('href', '/get-started');
  });
});

describe('the choices at sign-in', () => {
  const carried: unknown[] = [];
  beforeEach(() => {
    carried.length = 0;
    server.use(
      on('PUT /api/onboarding/choices', ({ body }) => {
        carried.push(body);
        return {};
      }),
    );
  });

  it('are carried into an account without preferences, once', async () => {
    storeChoices({ goals: [2], categories: [1] });
    await carryChoices({ recommends: [] });
    await carryChoices({ recommends: [] });
    expect(carried).toEqual([{ goals: [2], categories: [1] }]);
  });

  it('leave an account with preferences as it is', async () => {
    storeChoices({ goals: [2], categories: [1] });
    await carryChoices({ recommends: [5] });
    expect(carried).toEqual([]);
    expect(storedChoices()).toEqual({ goals: [], categories: [] });
  });

  it('wait when the server fails, and end when they are refused', async () => {
    storeChoices({ goals: [2], categories: [] });
    server.use(on('PUT /api/onboarding/choices', () => failure(503, 'unavailable', 'Busy.', { retryAfter: 1 })));
    await carryChoices({ recommends: [] });
    expect(storedChoices().goals).toEqual([2]);
    server.use(on('PUT /api/onboarding/choices', () => failure(422, 'validation_failed', 'Gone.')));
    await carryChoices({ recommends: [] });
    expect(storedChoices().goals).toEqual([]);
  });

  it('end after 30 days', () => {
    storeChoices({ goals: [2], categories: [] }, 0);
    expect(storedChoices(CHOICES_VALIDITY - 1).goals).toEqual([2]);
    expect(storedChoices(CHOICES_VALIDITY).goals).toEqual([]);
  });
});
