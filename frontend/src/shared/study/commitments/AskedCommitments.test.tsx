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
import { AskedCommitments } from '@/shared/study/commitments/AskedCommitments';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { studyStore } from '@/shared/study/studyStore';
import { Toaster, dropToast } from '@/ui/toast';
import { sampleUser } from '@test/samples';
import { on, server } from '@test/server';
import { sampleCommitment, sampleStudySettings } from '@test/study';

const ADA = 7;
const DAY = 86_400_000;

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

/** A commitment that was made some days ago. */
const made = (id: number, daysAgo: number, more: Partial<Commitment> = {}) => {
  const createdAt = Date.now() - daysAgo * DAY;
  return sampleCommitment({ id, createdAt, text: { value: `Number ${id}.`, at: createdAt }, outcome: { value: 'open', at: createdAt }, ...more });
};

let asksCommitments: boolean;

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  queryClient.clear();
  session.start('token');
  copiesOwner.set(ADA);
  asksCommitments = true;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('GET /api/study/settings', () => ({ settings: sampleStudySettings({ asksCommitments }) })),
  );
  await studyStore.removeMember(ADA);
});
afterEach(() => {
  for (let id = 1; id < 60; id += 1) dropToast(id);
  vi.unstubAllGlobals();
  session.end('left');
});

async function show(...commitments: Commitment[]) {
  await studyStore.load(ADA);
  await studyStore.receive(ADA, { commitments, cursor: 1, isEnd: true });
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AskedCommitments member={ADA} zone="UTC" />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const state = (id: number) => studyStore.snapshot().commitments.get(id)?.state;
const asked = () => screen.queryAllByText(/^Number \d\.$/).map(({ textContent }) => textContent);
const answer = (text: string, name: string) => userEvent.click(within(screen.getByRole('group', { name: text })).getByRole('button', { name }));

describe('the questions on Home (study.commitment-askings)', () => {
  it.each([
    [3, 'Three days ago you wanted to:'],
    [5, '5 days ago you wanted to:'],
    [14, 'Two weeks ago you wanted to:'],
  ])('on day %i: %s', async (days, lead) => {
    await show(made(1, days));
    expect(screen.getByRole('heading', { name: lead })).toBeVisible();
    expect(screen.getByText('Number 1.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Walden' })).toHaveAttribute('href', '/books/walden');
  });

  it('are none before day 3, of what has ended, and of what was answered', async () => {
    await show(made(1, 2), made(2, 3, { outcome: { value: 'done', at: Date.now() } }), made(3, 5, { answeredDay: 3 }), made(4, 40, { answeredDay: 14 }));
    expect(document.querySelector('.asked')).toBeNull();
  });

  it('are three at most, and the next one comes when one is answered', async () => {
    await show(made(1, 3), made(2, 4), made(3, 5), made(4, 6));
    expect(asked()).toEqual(['Number 4.', 'Number 3.', 'Number 2.']);
    await answer('Number 4.', 'Done');
    expect(asked()).toEqual(['Number 3.', 'Number 2.', 'Number 1.']);
    expect(within(screen.getByRole('group', { name: 'Number 3.' })).getByRole('button', { name: 'Done' })).toHaveFocus();
  });

  it('Done ends it, and Undo opens it again', async () => {
    await show(made(1, 3));
    await answer('Number 1.', 'Done');
    expect(state(1)?.outcome.value).toBe('done');
    expect(await screen.findByText(/^Thank you/)).toHaveFocus();
    expect(screen.getByRole('link', { name: 'My Progress' })).toHaveAttribute('href', '/my-progress#commitments');
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(state(1)?.outcome.value).toBe('open');
    expect(asked()).toEqual(['Number 1.']);
  });

  it('Drop it ends it too', async () => {
    await show(made(1, 14));
    await answer('Number 1.', 'Drop it');
    expect(state(1)?.outcome.value).toBe('dropped');
    expect(screen.getByText('Dropped.')).toBeVisible();
  });

  it('Not yet answers this asking, and says when the next one is', async () => {
    await show(made(1, 3));
    await answer('Number 1.', 'Not yet');
    expect(state(1)).toMatchObject({ answeredDay: 3, outcome: { value: 'open' } });
    expect(screen.getByText(/^You will be asked once more on \w+ \d+, \d{4}\.$/)).toBeVisible();
    expect(asked()).toEqual([]);
  });

  it('Not yet on day 14 is the last', async () => {
    await show(made(1, 14));
    await answer('Number 1.', 'Not yet');
    expect(state(1)?.answeredDay).toBe(14);
    expect(screen.getByText('It stays open in My Progress.')).toBeVisible();
  });

  it('Change takes other words, and answers this asking', async () => {
    await show(made(1, 4));
    await answer('Number 1.', 'Change');
    const field = screen.getByRole('textbox', { name: 'What will you do?' });
    expect(field).toHaveFocus();
    await userEvent.clear(field);
    await userEvent.type(field, 'Half of it.');
    await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
    expect(state(1)).toMatchObject({ text: { value: 'Half of it.' }, answeredDay: 3, outcome: { value: 'open' } });
    await waitFor(() => expect(document.querySelector('.asked__item')).toBeNull());
  });

  it('a change that is given up changes nothing, and gives the focus back', async () => {
    await show(made(1, 4));
    await answer('Number 1.', 'Change');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus();
    expect(state(1)).toMatchObject({ text: { value: 'Number 1.' }, answeredDay: null });
  });

  it('name a book that was deleted', async () => {
    await show(made(1, 4, { bookId: null, subid: null }));
    expect(screen.getByText('Walden')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Walden' })).toBeNull();
  });

  it('are none once they are switched off', async () => {
    asksCommitments = false;
    await show(made(1, 3));
    await waitFor(() => expect(document.querySelector('.asked')).toBeNull());
  });
});
