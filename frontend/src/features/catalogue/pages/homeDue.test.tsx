import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import * as HomePage from '@/features/catalogue/pages/HomePage';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { STORED_FLAG, rememberNextDue } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { sampleBook, sampleList, sampleUser } from '@test/samples';
import { on, server } from '@test/server';
import { sampleCard, sampleChanges } from '@test/study';

const ADA = 7;

function open() {
  const router = createMemoryRouter([{ path: '/home', ...HomePage }], { initialEntries: ['/home'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

beforeEach(async () => {
  session.start('token');
  copiesOwner.set(ADA);
  const user = sampleUser({ id: ADA, recommends: [1] });
  server.use(
    on('GET /api/books', () => sampleList([sampleBook(1)], { user })),
    on('GET /api/user-book-history', () => ({ user, books: [], counts: { all: 0, completed: 0 }, next: null })),
    on('GET /api/insight', () => ({ insight: null })),
    on('GET /api/user/allowance', () => ({ allowance: null, opened: [] })),
    on('GET /api/user/account', () => ({ user })),
    on('GET /api/study/changes', () => sampleChanges({ version: 1 })),
  );
  // Ends what the session's start has begun.
  await syncStudy();
  await studyStore.removeMember(ADA);
});
afterEach(async () => {
  await syncStudy();
  session.end('left');
});

describe('the cards that are due, on Home', () => {
  it('need no store on a device without records', async () => {
    open();
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    expect(screen.queryByText(/due today/)).toBeNull();
    expect(studyStore.snapshot().member).toBeNull();
    expect(localStorage.getItem(STORED_FLAG)).toBeNull();
  });

  it('come below the greeting', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { cards: [sampleCard({ id: 1 }), sampleCard({ id: 2 })], highlights: [], cursor: 1, isEnd: true });
    rememberNextDue('2026-01-01');
    open();
    const review = await screen.findByRole('link', { name: 'Review 2 cards' });
    expect(review).toHaveAttribute('href', '/review');
    expect(screen.getByText('2 cards are due today. About 1 minute.')).toBeVisible();
    expect(document.querySelectorAll('.home__due')).toHaveLength(1);
    const next = screen.getByRole('heading', { name: 'Pick up where you left off' });
    expect(review.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
});
