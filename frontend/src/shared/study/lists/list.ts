// A list of books that a member keeps (study.own-lists). The order of its books changes in order.ts: this file is loaded with the store.
import { newId } from '@/shared/study/ids';
import type { Register } from '@/shared/study/records';

/** The longest name and the longest note, in characters. */
export const LIST_NAME_MAX = 100;
export const LIST_NOTE_MAX = 2_000;
/** The most books of a list, and the most lists of a member. */
export const LIST_BOOKS_MAX = 200;
export const LISTS_MAX = 200;

/** To whom a list is shown besides its owner (study.list-sharing). */
export type Sharing = 'private' | 'link' | 'public';

/** What a list shows of a book. */
export interface ShownBook {
  /** Null: it is not published now. */
  subid: string | null;
  title: string;
  author: string;
  image: string | null;
  /** The hue of the book's category, in degrees. */
  hue: number | null;
}

export interface ListBook extends ShownBook {
  bookId: number;
  /** Where it stands: digits and letters of ASCII, compared as texts. Null: it was taken off the list. */
  rank: string | null;
  /** When the rank was set. */
  at: number;
}

export interface ReadingList {
  id: number;
  name: Register<string>;
  /** Empty: none. */
  note: Register<string>;
  /** Every book that it has or once had; `shownBooks` returns those that it has, in their order. */
  books: readonly ListBook[];
  createdAt: number;
  /** A later change brings the list back. */
  deletedAt: number | null;
  sharing: Sharing;
  /** The last part of its URL while it is shared. */
  slug: string | null;
  /** Its id as a list of the owner's team; null: the team does not see it. */
  teamListId: number | null;
  /** An admin has taken it down: it can't be shared. */
  isTakenDown: boolean;
  /** The number of the server's last change; null: the server does not have it yet. */
  version: number | null;
}

/** A new list without books. `now`: the moment at which it is made. */
export const newList = (name: string, now: number): ReadingList => ({
  id: newId(),
  name: { value: name, at: now },
  note: { value: '', at: 0 },
  books: [],
  createdAt: now,
  deletedAt: null,
  sharing: 'private',
  slug: null,
  teamListId: null,
  isTakenDown: false,
  version: null,
});

export const renamed = (list: ReadingList, name: string, at: number): ReadingList => ({ ...list, name: { value: name, at } });

export const withNote = (list: ReadingList, note: string, at: number): ReadingList => ({ ...list, note: { value: note, at } });

/** The list with some of its books replaced, or added. */
export const withBooks = (list: ReadingList, books: readonly ListBook[]): ReadingList => {
  const byId = new Map([...list.books, ...books].map((book) => [book.bookId, book]));
  return { ...list, books: [...byId.values()] };
};

export const withoutBook = (list: ReadingList, bookId: number, at: number): ReadingList => ({
  ...list,
  books: list.books.map((book) => (book.bookId === bookId ? { ...book, rank: null, at } : book)),
});

type RankedBook = ListBook & { rank: string };

/** The books that a list has, in their order (study.list-order). */
export const shownBooks = ({ books }: Pick<ReadingList, 'books'>): RankedBook[] =>
  books
    .filter((book): book is RankedBook => book.rank !== null)
    .sort((one, other) => (one.rank === other.rank ? one.bookId - other.bookId : one.rank < other.rank ? -1 : 1));

export const hasBook = ({ books }: Pick<ReadingList, 'books'>, bookId: number): boolean => books.some((book) => book.bookId === bookId && book.rank !== null);

/** The latest moment of any part of a list. */
export const listEditedAt = ({ createdAt, name, note, books }: ReadingList): number => Math.max(createdAt, name.at, note.at, ...books.map(({ at }) => at));

/** Whether a list is there: it was not deleted, or was changed since. */
export const isListShown = (list: ReadingList): boolean => list.deletedAt === null || list.deletedAt < listEditedAt(list);
