// The order of the books of a list (study.list-order): each has a rank, a text, and there is always one between two others. Apart from
// list.ts, which is loaded with the store.
import { generateNKeysBetween } from 'fractional-indexing';
import { hasBook, shownBooks, withBooks } from '@/shared/study/lists/list';
import type { ListBook, ReadingList, ShownBook } from '@/shared/study/lists/list';

/** The longest rank that is made: beyond it all books get new ones. The server takes 200 characters. */
const RANK_MAX = 100;

/** `count` ranks between two others; null: there are none that are short enough, or one of these two is of another kind of ranks. */
function ranksBetween(before: string | null, after: string | null, count: number): string[] | null {
  try {
    const ranks = generateNKeysBetween(before, after, count);
    return ranks.every((rank) => rank.length <= RANK_MAX) ? ranks : null;
  } catch {
    return null;
  }
}

/** The list with its books in this order, of which the one at `index` is new or was moved. As few as possible get new ranks. */
function ranked(list: ReadingList, order: readonly ListBook[], index: number, at: number): ReadingList {
  // Neighbors with one rank, which several devices have given, leave no room between them: they get others too.
  const before = order[index - 1]?.rank ?? null;
  const after = order[index + 1]?.rank ?? null;
  const isTie = (book: ListBook | undefined) => before !== null && before === after && book?.rank === before;
  let [from, to] = [index, index + 1];
  while (isTie(order[from - 1])) from -= 1;
  while (isTie(order[to])) to += 1;
  const give = (ranks: readonly string[], start: number) =>
    withBooks(
      list,
      ranks.map((rank, i) => ({ ...(order[start + i] as ListBook), rank, at })),
    );
  const ranks = ranksBetween(order[from - 1]?.rank ?? null, order[to]?.rank ?? null, to - from);
  return ranks ? give(ranks, from) : give(generateNKeysBetween(null, null, order.length), 0);
}

/** What is known of a book that is put on a list. */
export type BookToAdd = ShownBook & { id: number };

/** The list with a book at its end; one that it has stays where it is. */
export function withBook(list: ReadingList, { id, subid, title, author, image, hue }: BookToAdd, at: number): ReadingList {
  if (hasBook(list, id)) return list;
  const books = shownBooks(list);
  return ranked(list, [...books, { bookId: id, subid, title, author, image, hue, rank: null, at }], books.length, at);
}

/** The list with a book at another index. */
export function moved(list: ReadingList, bookId: number, toIndex: number, at: number): ReadingList {
  const books = shownBooks(list);
  const book = books.find((one) => one.bookId === bookId);
  const index = Math.max(0, Math.min(toIndex, books.length - 1));
  if (!book || books[index] === book) return list;
  const order: ListBook[] = books.filter((one) => one !== book);
  order.splice(index, 0, book);
  return ranked(list, order, index, at);
}
