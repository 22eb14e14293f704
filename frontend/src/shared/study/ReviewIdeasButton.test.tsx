import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import * as addCards from '@/shared/study/addCards';
import { ReviewIdeasButton, hasIdeas } from '@/shared/study/ReviewIdeasButton';
import { isCardShown } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';
import { Toaster, dropToast } from '@/ui/toast';

const ADA = 7;
const BOOK = { id: 12, subid: 'walden', title: 'Walden', author: 'Henry David Thoreau', body: '<h3>Simplify</h3><p>Own little.</p><h3>Walk</h3><p>Daily.</p>' };

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
});
afterEach(() => {
  // Toasts outlive a page.
  for (let id = 1; id < 20; id += 1) dropToast(id);
  vi.unstubAllGlobals();
  session.end('left');
});

function open() {
  render(
    <MemoryRouter>
      <ReviewIdeasButton book={BOOK} />
      <Toaster />
    </MemoryRouter>,
  );
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Review its key ideas' }));
const cards = () => [...studyStore.snapshot().cards.values()].filter(({ state }) => isCardShown(state)).map(({ state }) => state.ideaTitle);

describe('the button at the end of a book (study.review-cards)', () => {
  it('adds a card for each key idea, and leads to the review', async () => {
    open();
    await press();
    expect(await screen.findByText('Added 2 cards.')).toBeVisible();
    expect(cards()).toEqual(['Simplify', 'Walk']);
    const link = screen.getByRole('link', { name: 'Open your review' });
    expect(link).toHaveAttribute('href', '/review');
    expect(link).toHaveFocus();
  });

  it('takes them back', async () => {
    open();
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(screen.getByRole('button', { name: 'Review its key ideas' })).toBeVisible();
    await waitFor(() => expect(cards()).toEqual([]));
  });

  it('says that they are there already', async () => {
    await addCards.addIdeas(ADA, BOOK);
    open();
    await press();
    expect(await screen.findByText('Its key ideas are in your review already.')).toBeVisible();
    expect(cards()).toHaveLength(2);
  });

  it('says that they could not be added', async () => {
    vi.spyOn(studyStore, 'load').mockRejectedValue(new Error('No storage.'));
    open();
    await press();
    expect(await screen.findByText(/^The cards could not be added/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Review its key ideas' })).toBeVisible();
  });

  it('belongs to books with titled sections', () => {
    expect([hasIdeas(BOOK), hasIdeas({ body: '<p>One text.</p>' }), hasIdeas({ body: null })]).toEqual([true, false, false]);
  });
});
