import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { CommitmentList, loadCommitments } from '@/shared/study/commitments/CommitmentList';
import { studyStore } from '@/shared/study/studyStore';
import { Toaster, dropToast } from '@/ui/toast';
import { sampleCommitment } from '@test/study';

const ADA = 7;

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
const made = (id: number, day: string, more: Partial<Commitment> = {}) =>
  sampleCommitment({ id, createdAt: at(day), text: { value: `Number ${id}.`, at: at(day) }, outcome: { value: 'open', at: at(day) }, ...more });
const ALL = () => [
  made(1, '2026-03-01'),
  made(2, '2026-03-05', { subid: null, bookId: null, title: 'Gone' }),
  made(3, '2026-03-02', { outcome: { value: 'done', at: at('2026-03-09') } }),
  made(4, '2026-03-03', { outcome: { value: 'dropped', at: at('2026-03-10') } }),
];

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  queryClient.clear();
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
});
afterEach(() => {
  for (let id = 1; id < 60; id += 1) dropToast(id);
  vi.unstubAllGlobals();
  session.end('left');
});

async function show(commitments: Commitment[]) {
  await loadCommitments();
  await studyStore.receive(ADA, { commitments, cursor: 1, isEnd: true });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <CommitmentList />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const state = (id: number) => studyStore.snapshot().commitments.get(id)?.state;
const texts = () => [...document.querySelectorAll('.commitments__text')].map(({ textContent }) => textContent);
const entry = (text: string) => within(screen.getByText(text).closest('li') ?? document.body);

describe('the commitments in My Progress (study.commitment-list)', () => {
  it('are listed by state, the latest first, with book and date', async () => {
    await show(ALL());
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Open 2', 'Done 1', 'Dropped 1']);
    expect(texts()).toEqual(['Number 2.', 'Number 1.', 'Number 3.', 'Number 4.']);
    expect(entry('Number 1.').getByText('Since March 1, 2026')).toBeVisible();
    expect(entry('Number 3.').getByText('Done on March 9, 2026')).toBeVisible();
    expect(entry('Number 4.').getByText('Dropped on March 10, 2026')).toBeVisible();
    expect(entry('Number 1.').getByRole('link', { name: 'Walden' })).toHaveAttribute('href', '/books/walden');
    expect(entry('Number 2.').getByText('Gone')).toBeVisible();
    expect(entry('Number 2.').queryByRole('link')).toBeNull();
  });

  it('are no section when there are none', async () => {
    await show([made(1, '2026-03-01', { deletedAt: at('2026-03-02') })]);
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('are edited, in words and state', async () => {
    await show(ALL());
    await userEvent.click(screen.getByRole('button', { name: 'Edit “Number 1.”' }));
    const field = screen.getByRole('textbox', { name: 'What you want to do' });
    expect(field).toHaveFocus();
    await userEvent.clear(field);
    await userEvent.type(field, 'Another.');
    await userEvent.click(screen.getByRole('radio', { name: 'Done' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    // Long after day 14: nothing is left to be asked.
    await waitFor(() => expect(state(1)).toMatchObject({ text: { value: 'Another.' }, outcome: { value: 'done' }, answeredDay: 14 }));
    expect(screen.getByRole('button', { name: 'Edit “Another.”' })).toHaveFocus();
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Open 1', 'Done 2', 'Dropped 1']);
  });

  it('stay as they are when an edit is given up or says nothing new', async () => {
    await show(ALL());
    const before = state(3);
    await userEvent.click(screen.getByRole('button', { name: 'Edit “Number 3.”' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Open' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Edit “Number 3.”' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Edit “Number 3.”' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(state(3)).toEqual(before);
  });

  it('are deleted, and brought back', async () => {
    await show(ALL());
    await userEvent.click(screen.getByRole('button', { name: 'Delete “Number 3.”' }));
    expect(texts()).toEqual(['Number 2.', 'Number 1.', 'Number 4.']);
    expect(screen.getByRole('heading', { name: 'Commitments' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(texts()).toHaveLength(4);
    expect(state(3)).toMatchObject({ outcome: { value: 'done', at: at('2026-03-09') } });
  });

  it('leave their section when the last is deleted', async () => {
    await show([made(1, '2026-03-01')]);
    await userEvent.click(screen.getByRole('button', { name: 'Delete “Number 1.”' }));
    expect(screen.getByText('None are left.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Commitments' })).toHaveFocus();
  });

  it('say why one could not be saved', async () => {
    await show(ALL());
    await studyStore.putCommitment(made(1, '2026-03-01', { text: { value: 'Number 1.', at: at('2026-03-20') } }));
    await studyStore.refused('commitments', ADA, 1, 1, 'Please open the summary first.');
    expect(await screen.findByText('This commitment could not be saved: Please open the summary first.')).toBeVisible();
  });
});
