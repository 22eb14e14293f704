import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { putBack } from '@/features/study/lists/ownLists';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { hasBook, isListShown, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { studyStore } from '@/shared/study/studyStore';
import * as toasts from '@/ui/toast';
import { sampleListBook, sampleReadingList } from '@test/study';

const ADA = 7;
const ID = 6;
const BOOK = sampleListBook({ bookId: 1, rank: 'a0' });

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

const stored = (): ReadingList => studyStore.snapshot().lists.get(ID)?.state ?? sampleReadingList({ books: [] });
const books = (count: number) => Array.from({ length: count }, (_, i) => sampleListBook({ bookId: 100 + i, rank: `b${i}` }));

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  session.end('left');
});

describe('a book that is put back on a list', () => {
  it('stands where it stood', async () => {
    await studyStore.putList(sampleReadingList({ id: ID, books: [{ ...BOOK, rank: null }, ...books(2)] }));
    await putBack(ID, BOOK);
    expect(shownBooks(stored()).map(({ bookId }) => bookId)).toEqual([1, 100, 101]);
  });

  it('stays off a list that is full meanwhile, which is said', async () => {
    const toast = vi.spyOn(toasts, 'toast');
    await studyStore.putList(sampleReadingList({ id: ID, books: [{ ...BOOK, rank: null }, ...books(200)] }));
    await putBack(ID, BOOK);
    expect(hasBook(stored(), BOOK.bookId)).toBe(false);
    expect(toast).toHaveBeenCalledWith('A list has up to 200 books.');
  });

  it('does not bring back a list that was deleted meanwhile', async () => {
    await studyStore.putList(sampleReadingList({ id: ID, books: [{ ...BOOK, rank: null }] }));
    await studyStore.removeList(ID);
    await putBack(ID, BOOK);
    expect(isListShown(stored())).toBe(false);
  });
});
