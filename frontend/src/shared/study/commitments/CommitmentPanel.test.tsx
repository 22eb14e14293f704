import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { CommitmentPanel } from '@/shared/study/commitments/CommitmentPanel';
import { rememberCommitmentsOff } from '@/shared/study/settings';
import { studyStore } from '@/shared/study/studyStore';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleCommitment, sampleStudySettings } from '@test/study';

const ADA = 7;
const IDEAS = ['Simplify', 'Walk', 'Own little', 'Read', 'Be alone', 'Get up early'];
const BOOK = {
  id: 12,
  subid: 'walden',
  title: 'Walden',
  author: 'Henry David Thoreau',
  body: IDEAS.map((title) => `<h3>${title}</h3><p>Text.</p>`).join(''),
};

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

let asksCommitments: boolean;
let book = 100;

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  queryClient.clear();
  session.start('token');
  copiesOwner.set(ADA);
  asksCommitments = true;
  // Drafts are kept by book while the page lives.
  book += 1;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA, timezone: 'UTC' }) })),
    on('GET /api/study/settings', () => ({ settings: sampleStudySettings({ asksCommitments }) })),
  );
  await studyStore.removeMember(ADA);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  session.end('left');
});

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <CommitmentPanel book={{ ...BOOK, id: book }} />
    </QueryClientProvider>,
  );
const field = () => screen.findByRole('textbox', { name: 'What will you do with it?' });
const kept = () => [...studyStore.snapshot().commitments.values()].map(({ state }) => state);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('what a member will do with a book, at its end (study.kept-commitments)', () => {
  it('is kept in their own words, and can be changed', async () => {
    show();
    await userEvent.type(await field(), '  Own   less. ');
    await press('Keep');
    expect(await screen.findByText('Own less.')).toBeVisible();
    expect(kept()).toMatchObject([
      { bookId: book, subid: 'walden', title: 'Walden', text: { value: 'Own less.' }, outcome: { value: 'open' }, answeredDay: null, deletedAt: null },
    ]);
    // The pressed button is gone.
    expect(screen.getByText('You want to:').parentElement).toHaveFocus();
    await press('Change');
    const again = await field();
    expect(again).toHaveFocus();
    expect(again).toHaveValue('Own less.');
    await userEvent.clear(again);
    await userEvent.type(again, 'Own half.{Enter}');
    expect(await screen.findByText('Own half.')).toBeVisible();
    expect(kept()).toHaveLength(1);
    expect(kept()[0]).toMatchObject({ text: { value: 'Own half.' }, answeredDay: null });
  });

  it('says when it is asked', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { commitments: [sampleCommitment({ bookId: book, createdAt: Date.parse('2026-11-28T12:00:00Z') })], cursor: 1, isEnd: true });
    show();
    expect(await screen.findByText('You will be asked about it on Home, on December 1, 2026 and on December 12, 2026.')).toBeVisible();
    const answered = sampleCommitment({ bookId: book, createdAt: Date.parse('2026-11-28T12:00:00Z'), answeredDay: 14, version: 2 });
    await act(() => studyStore.receive(ADA, { commitments: [answered], cursor: 2, isEnd: true }));
    expect(screen.getByText('Kept on November 28, 2026.')).toBeVisible();
  });

  it('can be the title of a key idea, which a second press takes back', async () => {
    show();
    await userEvent.type(await field(), 'My own.');
    await press('Walk');
    expect(await field()).toHaveValue('Use this: Walk');
    expect(screen.getByRole('button', { name: 'Walk' })).toHaveAttribute('aria-pressed', 'true');
    await press('Walk');
    expect(await field()).toHaveValue('My own.');
    await press('Simplify');
    await press('Keep');
    expect(kept()[0]?.text.value).toBe('Use this: Simplify');
  });

  it('has more key ideas, which a press shows', async () => {
    show();
    await field();
    expect(screen.queryByRole('button', { name: 'Be alone' })).toBeNull();
    await press('2 more ideas');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Be alone' })).toHaveFocus());
    expect(screen.queryByRole('button', { name: /more idea/ })).toBeNull();
  });

  it.each([
    ['nothing', ' ', 'Please write what you will do.'],
    ['more than 500 characters', 'é'.repeat(501), 'Please keep it to 500 characters.'],
  ])('is not kept with %s', async (_, text, message) => {
    show();
    const input = await field();
    await userEvent.click(input);
    await userEvent.paste(text);
    await press('Keep');
    expect(await screen.findByText(message)).toBeVisible();
    expect(input).toHaveFocus();
    expect(kept()).toEqual([]);
  });

  it('outlives the closing of the card while it is typed', async () => {
    const { unmount } = show();
    await userEvent.type(await field(), 'Half a thought');
    unmount();
    show();
    expect(await field()).toHaveValue('Half a thought');
  });

  it('gives the focus back when the change is given up', async () => {
    show();
    await userEvent.type(await field(), 'Own less.{Enter}');
    await press('Change');
    await userEvent.type(await field(), ' And more.');
    await press('Cancel');
    expect(screen.getByText('Own less.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus();
  });

  it('is offered again when the last one is done', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { commitments: [sampleCommitment({ bookId: book, outcome: { value: 'done', at: 2 } })], cursor: 1, isEnd: true });
    show();
    expect(await field()).toHaveValue('');
  });

  it('is not asked of who has switched it off, here or on another device', async () => {
    asksCommitments = false;
    show();
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
    await waitFor(() => expect(document.querySelector('.commitment-form')).toBeNull());
  });

  it('is not asked either when only this device knows that it is off', () => {
    server.use(on('GET /api/study/settings', () => failure(503, 'unavailable', 'Busy.')));
    rememberCommitmentsOff(true);
    show();
    expect(document.querySelector('.commitment-form')).toBeNull();
    rememberCommitmentsOff(false);
  });
});
