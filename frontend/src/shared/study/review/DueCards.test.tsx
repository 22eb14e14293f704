import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { User } from '@/api/types';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { rememberDailyMax } from '@/shared/study/dailyMax';
import { addDays, dayOf } from '@/shared/study/days';
import { DueCards } from '@/shared/study/review/DueCards';
import { minutesFor } from '@/shared/study/review/reviewOfDay';
import { isProbablyDue, rememberNextDue } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleCard, sampleChanges } from '@test/study';

const ADA = 7;
const HOUR = 3_600_000;

/** How often the server was asked what has changed. */
let pulls: number;

/** Cards that are due. */
const some = (count: number) => Array.from({ length: count }, (_, at) => sampleCard({ id: at + 1, createdAt: at + 1 }));

async function given(count: number): Promise<void> {
  await studyStore.load(ADA);
  await studyStore.receive(ADA, { cards: some(count), highlights: [], cursor: 1, isEnd: true });
}

const show = (user: User | undefined = sampleUser({ id: ADA, isPaid: true })) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <DueCards user={user} waiting={<p>Not read yet</p>} />
      </MemoryRouter>
    </QueryClientProvider>,
  );

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  pulls = 0;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('GET /api/study/changes', () => {
      pulls += 1;
      return sampleChanges({ version: 1 });
    }),
    // What is answered here stays unsent.
    on('POST /api/study/answers', () => failure(503, 'unavailable', 'Busy.')),
  );
  await studyStore.removeMember(ADA);
});
afterEach(async () => {
  await syncStudy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  session.end('left');
});

describe('the cards that are due, on Home', () => {
  it.each([
    [1, 'Review 1 card', '1 card is due today. About 1 minute.'],
    [17, 'Review 17 cards', '17 cards are due today. About 4 minutes.'],
    [30, 'Review 20 cards', '20 cards are due today. About 5 minutes.'],
  ])('%i: leads to the review', async (count, name, text) => {
    await given(count);
    show();
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/review');
    expect(screen.getByText(text)).toBeVisible();
  });

  it('are as many as the day asks, as this device knows it (study.daily-maximum, study.free-cards)', async () => {
    await given(50);
    rememberDailyMax(ADA, 35);
    const { unmount } = show();
    expect(await screen.findByRole('link', { name: 'Review 35 cards' })).toBeVisible();
    unmount();
    show(sampleUser({ id: ADA }));
    expect(await screen.findByRole('link', { name: 'Review 20 cards' })).toBeVisible();
  });

  it('are those of this device when the server can’t be reached', async () => {
    await given(3);
    show(undefined);
    expect(await screen.findByRole('link', { name: 'Review 3 cards' })).toBeVisible();
  });

  it('have their room until they are read', async () => {
    show();
    expect(screen.getByText('Not read yet')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Not read yet')).toBeNull());
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('are one fewer after an answer, and none in the end', async () => {
    await given(2);
    expect(isProbablyDue()).toBe(false);
    show();
    await screen.findByRole('link', { name: 'Review 2 cards' });
    const answer = (id: number) => studyStore.addAnswer({ id, cardId: id, rating: 3, at: Date.now() });
    await act(() => answer(1));
    expect(screen.getByRole('link', { name: 'Review 1 card' })).toBeVisible();
    expect(isProbablyDue()).toBe(true);
    await act(() => answer(2));
    expect(screen.queryByRole('link')).toBeNull();
    expect(isProbablyDue()).toBe(false);
  });

  it('are none when all come later', async () => {
    await given(0);
    const today = dayOf(Date.now(), 'UTC');
    const schedule = { question: '', answer: '', isLocked: false, state: 'ok' as const, last: null, answers: 1, lapses: 0, isWaiting: false };
    const card = sampleCard({ schedule: { ...schedule, due: addDays(today, 1), next: [0, 2, 35, 130] } });
    await studyStore.receive(ADA, { cards: [card], highlights: [], cursor: 2, isEnd: true });
    show();
    await act(() => studyStore.load(ADA));
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('are read again only when what this device has is old', async () => {
    await given(2);
    // Ends what the session's start has begun.
    await syncStudy();
    pulls = 0;
    show();
    await screen.findByRole('link');
    cleanup();
    expect(pulls).toBe(0);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + HOUR + 1000);
    show();
    await waitFor(() => expect(pulls).toBe(1));
  });
});

describe('whether a card is probably due', () => {
  const inDays = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);
  it.each([
    [-3, true],
    [0, true],
    [1, false],
  ])('when the next is due in %i days: %s', (days, isDue) => {
    rememberNextDue(inDays(days));
    expect(isProbablyDue()).toBe(isDue);
    rememberNextDue(null);
    expect(isProbablyDue()).toBe(false);
  });
});

describe('how long cards take', () => {
  it.each([
    [1, '1 minute'],
    [6, '2 minutes'],
    [200, '50 minutes'],
  ])('%i: %s', (cards, text) => expect(minutesFor(cards)).toBe(text));
});
