import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { ResultOf } from '@/api/types';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { AddToListButton } from '@/shared/study/lists/AddToListButton';
import { hasBook, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { shownLists } from '@/shared/study/lists/shownLists';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleChanges, sampleListBook, sampleReadingList } from '@test/study';

const ADA = 7;
const BOOK = sampleBook(3);

/** What the server has. */
let onServer: ReadingList[];
let isDown: boolean;

async function open() {
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <AddToListButton book={BOOK} />
      </QueryClientProvider>
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add to list' }));
  return within(await screen.findByRole('dialog', { name: 'Add to list' }));
}

const list = (id: number, name: string, more: Partial<ReadingList> = {}) => sampleReadingList({ id, name: { value: name, at: 1 }, version: id, ...more });
const onDevice = () => shownLists(studyStore.snapshot()).map(({ state }) => state);
const booksOf = (name: string) => {
  const found = onDevice().find((one) => one.name.value === name);
  return found && shownBooks(found).map(({ bookId }) => bookId);
};

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  onServer = [];
  isDown = false;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('GET /api/study/changes', () => (isDown ? failure(503, 'unavailable', 'Busy.') : sampleChanges({ lists: onServer, version: 9 } as object))),
    on('PUT /api/study/lists/{id}', ({ request, body }) => {
      if (isDown) return failure(503, 'unavailable', 'Busy.');
      const id = Number(request.url.split('/').at(-1));
      const known = studyStore.snapshot().lists.get(id)?.state;
      return { list: { ...known, ...(body as object), books: known?.books, id, version: 100 } } as unknown as ResultOf<'PUT /api/study/lists/{id}'>;
    }),
  );
  await studyStore.removeMember(ADA);
});
afterEach(async () => {
  // What a test has left to send must not reach the server of the next one.
  await syncStudy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  session.end('left');
});

describe("'Add to list' (study.list-pages)", () => {
  it('puts a book on the lists that are checked, and takes it off again', async () => {
    onServer = [list(1, 'Work'), list(2, 'Calm', { books: [sampleListBook({ bookId: BOOK.id })] })];
    const dialog = await open();
    expect(dialog.getByText('Book 3')).toBeVisible();
    const work = await dialog.findByRole('checkbox', { name: 'Work' });
    expect(dialog.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)).toEqual(['Calm', 'Work']);
    expect(dialog.getByRole('checkbox', { name: 'Calm' })).toBeChecked();
    expect(work).not.toBeChecked();
    await userEvent.click(work);
    expect(work).toBeChecked();
    expect(booksOf('Work')).toEqual([12, 3]);
    expect(dialog.getByText('2 summaries')).toBeVisible();
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Calm' }));
    expect(booksOf('Calm')).toEqual([]);
    expect(
      onDevice()
        .find(({ name }) => name.value === 'Work')
        ?.books.find(({ bookId }) => bookId === 3),
    ).toMatchObject({
      subid: 'book-3',
      title: 'Book 3',
      author: 'Ada Writer',
      hue: 265,
    });
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Add to list' })).toBeVisible();
  });

  it('makes a new list with the book on it', async () => {
    const dialog = await open();
    const field = await dialog.findByRole('textbox', { name: 'Name of your first list' });
    await userEvent.click(dialog.getByRole('button', { name: 'Create and add' }));
    expect(await dialog.findByText('Please name the list.')).toBeVisible();
    await userEvent.type(field, 'For a trip{Enter}');
    expect(await dialog.findByRole('checkbox', { name: 'For a trip' })).toBeChecked();
    expect(booksOf('For a trip')).toEqual([3]);
    expect(dialog.getByText('It is on the new list “For a trip”.')).toBeInTheDocument();
    const next = dialog.getByRole('textbox', { name: 'New list' });
    expect(next).toHaveValue('');
    expect(next).toHaveFocus();
    await userEvent.type(next, `${'x'.repeat(101)}{Enter}`);
    expect(await dialog.findByText('Please keep the name to 100 characters.')).toBeVisible();
  });

  it('waits for the first read', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('GET /api/study/changes', async () => {
        await waiting;
        return sampleChanges({ lists: [list(1, 'Work')] } as object);
      }),
    );
    const dialog = await open();
    expect(dialog.getByText('Loading')).toBeInTheDocument();
    expect(dialog.queryByRole('textbox')).toBeNull();
    release();
    expect(await dialog.findByRole('checkbox', { name: 'Work' })).toBeVisible();
  });

  it('keeps a new list when the lists could not be read', async () => {
    isDown = true;
    const dialog = await open();
    expect(await dialog.findByText('Your lists could not be loaded. A new one is kept.')).toBeVisible();
    await userEvent.type(dialog.getByRole('textbox'), 'Calm{Enter}');
    expect(await dialog.findByRole('checkbox', { name: 'Calm' })).toBeChecked();
  });

  it('works offline with the lists on this device', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { lists: [list(1, 'Work')], cursor: 1, isEnd: true });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    isDown = true;
    const dialog = await open();
    await userEvent.click(await dialog.findByRole('checkbox', { name: 'Work' }));
    expect(onDevice().some((one) => hasBook(one, BOOK.id))).toBe(true);
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('adds nothing to a list with 200 books, and makes no list beyond 200', async () => {
    const books = Array.from({ length: 200 }, (_, i) => sampleListBook({ bookId: 1_000 + i }));
    onServer = Array.from({ length: 200 }, (_, i) => list(i + 1, `List ${i}`, { books: i === 0 ? books : [] }));
    const dialog = await open();
    const full = await dialog.findByRole('checkbox', { name: 'List 0' });
    expect(full).toHaveAttribute('aria-disabled', 'true');
    expect(full).toHaveAccessibleDescription('A list has up to 200 books.');
    await userEvent.click(full);
    expect(full).not.toBeChecked();
    expect(booksOf('List 0')).toHaveLength(200);
    await userEvent.type(dialog.getByRole('textbox', { name: 'New list' }), 'One more{Enter}');
    expect(await dialog.findByText('You have 200 lists. Please delete one first.')).toBeVisible();
    await waitFor(() => expect(onDevice()).toHaveLength(200));
  });
});
