// Changes of many books at once (admin.bulk-books): the API has no bulk call, so that each book is one call.
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import type { BookChange, BookRow } from '@/features/admin/books/queries';
import { deleteRecord } from '@/features/admin/components/deletions';

export type Direction = 'add' | 'remove';

/** `current` with the chosen items added or removed, in order; null when that changes nothing. */
export function changedItems<T>(current: readonly T[], chosen: readonly T[], direction: Direction, keyOf: (item: T) => unknown = (item) => item): T[] | null {
  const has = (items: readonly T[], item: T) => items.some((one) => keyOf(one) === keyOf(item));
  const next = direction === 'add' ? [...current, ...chosen.filter((item) => !has(current, item))] : current.filter((item) => !has(chosen, item));
  return next.length === current.length ? null : next;
}

/** What is done with each book. `done` follows the number of books: 'changed'. */
export interface BulkAction {
  done: 'changed' | 'deleted';
  run: (book: BookRow) => Promise<unknown>;
}

const save = (id: number, body: BookChange) => call('PUT /api/admin/books/{bookId}', { path: { bookId: String(id) }, body });

export const changeFields = (change: BookChange): BulkAction => ({ done: 'changed', run: ({ id, version }) => save(id, { ...change, version }) });

export const changeCategories = (chosen: readonly number[], direction: Direction): BulkAction => ({
  done: 'changed',
  run: async ({ id, version, categories: current }) => {
    const categories = changedItems(current, chosen, direction);
    if (categories) await save(id, { categories, version });
  },
});

/** A row of the list has no tags: each book is read first. */
export const changeTags = (chosen: readonly string[], direction: Direction): BulkAction => ({
  done: 'changed',
  run: async ({ id }) => {
    const { book } = await call('GET /api/admin/books/{bookId}', { path: { bookId: String(id) } });
    const tags = changedItems(book.tags, chosen, direction, (tag) => tag.toLowerCase());
    if (tags) await save(id, { tags, version: book.version });
  },
});

export const deleteBooks: BulkAction = { done: 'deleted', run: ({ id }) => deleteRecord('book', id) };

/** A book that could not be changed or deleted, and why. */
export interface BulkFailure {
  book: BookRow;
  message: string;
}

/** Applies an action to the books one after the other. A failure does not stop the rest. `onProgress` gets the number of the current book. */
export async function runBulk(books: readonly BookRow[], { run }: BulkAction, onProgress: (at: number) => void): Promise<BulkFailure[]> {
  const failures: BulkFailure[] = [];
  for (const [index, book] of books.entries()) {
    onProgress(index + 1);
    try {
      await run(book);
    } catch (error) {
      failures.push({ book, message: messageOf(error) });
    }
  }
  return failures;
}
