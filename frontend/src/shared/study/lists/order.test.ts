import { describe, expect, it } from 'vitest';
import { LIST_BOOKS_MAX, hasBook, listEditedAt, newList, renamed, shownBooks, withNote, withoutBook } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { moved, withBook } from '@/shared/study/lists/order';
import type { BookToAdd } from '@/shared/study/lists/order';
import { mergeLists } from '@/shared/study/merge';
import { forAll } from '@test/random';
import type { Random } from '@test/random';
import { sampleReadingList, sampleListBook } from '@test/study';

const book = (id: number): BookToAdd => ({ id, subid: `book-${id}`, title: `Book ${id}`, author: 'An Author', image: null, hue: null });

const idsOf = (list: ReadingList): number[] => shownBooks(list).map(({ bookId }) => bookId);
const ranksOf = (list: ReadingList): string[] => shownBooks(list).map(({ rank }) => rank);
/** How many books were given a rank at this moment. */
const rankedAt = ({ books }: ReadingList, moment: number): number => books.filter(({ at }) => at === moment).length;

/** A list of books 1 to `count`, put on one after the other. */
const listOf = (count: number): ReadingList =>
  Array.from({ length: count }, (_, i) => i + 1).reduce((list, id) => withBook(list, book(id), id), newList('Simple living', 1));

/** A list as several devices can leave it: with equal ranks, books that were taken off, and ranks of other programs. */
function randomList(random: Random, ranks: readonly string[]): ReadingList {
  const books = random.list(random.int(1, 8), (i) => sampleListBook({ bookId: i + 1, rank: random.chance(0.15) ? null : random.pick(ranks), at: 1 }));
  return sampleReadingList({ books: random.shuffled(books) });
}

const RANKS = ['Zz', 'a0', 'a0V', 'a1', 'a2'];
/** Digits and letters that this device would not make a rank of. */
const FOREIGN = ['0', 'a', 'a00', 'zz', 'A'.repeat(200), 'Zz', 'a1'];

/** What the list is expected to show after a move: the book at the index, all others as they were. */
function orderAfter(ids: readonly number[], id: number, index: number): number[] {
  const order = ids.filter((one) => one !== id);
  order.splice(index, 0, id);
  return order;
}

describe('the books of a list', () => {
  it('are in the order of their ranks, and of the same rank in that of their ids (study.list-order)', () => {
    const ranked = [
      [5, 'a1'],
      [4, 'a0'],
      [3, null],
      [2, 'a1'],
      [1, 'Zz'],
    ] as const;
    expect(idsOf(sampleReadingList({ books: ranked.map(([bookId, rank]) => sampleListBook({ bookId, rank })) }))).toEqual([1, 4, 2, 5]);
  });

  it('are put on at the end, each once', () => {
    const list = listOf(3);
    expect([idsOf(list), hasBook(list, 3), hasBook(list, 4)]).toEqual([[1, 2, 3], true, false]);
    expect(withBook(list, book(2), 9)).toBe(list);
  });

  it('are taken off, and put on again at the end', () => {
    const without = withoutBook(listOf(3), 1, 8);
    expect([idsOf(without), hasBook(without, 1)]).toEqual([[2, 3], false]);
    expect(without.books.find(({ bookId }) => bookId === 1)).toMatchObject({ rank: null, at: 8, title: 'Book 1' });
    expect(idsOf(withBook(without, book(1), 9))).toEqual([2, 3, 1]);
  });

  it('have short ranks when there are as many as a list can have', () => {
    const list = listOf(LIST_BOOKS_MAX);
    expect(idsOf(list)).toEqual(Array.from({ length: LIST_BOOKS_MAX }, (_, i) => i + 1));
    expect(Math.max(...ranksOf(list).map(({ length }) => length))).toBeLessThan(5);
  });

  it('are put on behind ranks of other programs', () => {
    forAll(300, (random) => {
      const list = randomList(random, FOREIGN);
      expect(idsOf(withBook(list, book(9), 5))).toEqual([...idsOf(list), 9]);
    });
  });
});

describe('a book that is moved', () => {
  it.each([
    [1, 0, [1, 2, 3, 4]],
    [1, 2, [2, 3, 1, 4]],
    [1, 3, [2, 3, 4, 1]],
    [4, 0, [4, 1, 2, 3]],
    [2, 99, [1, 3, 4, 2]],
    [3, -1, [3, 1, 2, 4]],
  ])('%i to index %i', (id, index, order) => expect(idsOf(moved(listOf(4), id, index, 9))).toEqual(order));

  it('to where it is, or that the list does not have, changes nothing', () => {
    const list = withoutBook(listOf(3), 2, 8);
    expect([moved(list, 3, 1, 9), moved(list, 2, 0, 9), moved(list, 7, 0, 9)].every((same) => same === list)).toBe(true);
  });

  it('is at the index, and all others keep their order, also where ranks are equal', () => {
    forAll(1_000, (random) => {
      const list = randomList(random, random.pick([RANKS, FOREIGN]));
      const ids = idsOf(list);
      if (ids.length === 0) return;
      const [id, index] = [random.pick(ids), random.int(0, ids.length - 1)];
      const now = moved(list, id, index, 5);
      expect(idsOf(now)).toEqual(orderAfter(ids, id, index));
      expect(ranksOf(now).every((rank) => /^[0-9A-Za-z]{1,200}$/.test(rank))).toBe(true);
      // Books that were taken off stay so, and what has another rank has it from now on.
      expect(now.books.filter(({ rank }) => rank === null)).toEqual(list.books.filter(({ rank }) => rank === null));
      expect(now.books.every((one) => one.at === 5 || list.books.some(({ bookId, rank }) => bookId === one.bookId && rank === one.rank))).toBe(true);
    });
  });

  it('alone gets another rank, with neighbors of one rank these too', () => {
    const list = listOf(6);
    expect(rankedAt(moved(list, 6, 2, 9), 9)).toBe(1);
    const tied = sampleReadingList({ books: ['a0', 'a1', 'a1', 'a1', 'a2', 'a3'].map((rank, i) => sampleListBook({ bookId: i + 1, rank })) });
    expect([1, 2, 3, 4].map((index) => rankedAt(moved(tied, 6, index, 9), 9))).toEqual([1, 4, 4, 1]);
  });

  it('many times into one place leaves ranks of at most 100 characters', () => {
    let list = listOf(4);
    let longest = 0;
    for (let at = 10; at < 3_000; at += 1) {
      const ids = idsOf(list);
      // The last one always between the first two, or the first one always between the last two.
      const [id, index] = at < 1_500 ? [ids[3] ?? 0, 1] : [ids[0] ?? 0, 2];
      list = moved(list, id, index, at);
      expect(idsOf(list)).toEqual(orderAfter(ids, id, index));
      longest = Math.max(longest, ...ranksOf(list).map(({ length }) => length));
    }
    expect(longest).toBeLessThanOrEqual(100);
    expect(longest).toBeGreaterThan(50);
  });
});

describe('two devices that are offline', () => {
  /** One of the changes that a member can make, at this moment. */
  const changed = (list: ReadingList, random: Random, at: number): ReadingList =>
    random.pick<() => ReadingList>([
      () => withBook(list, book(random.int(1, 9)), at),
      () => withoutBook(list, random.int(1, 9), at),
      () => moved(list, random.int(1, 9), random.int(0, 5), at),
      () => moved(list, random.int(1, 9), random.int(0, 5), at),
      () => renamed(list, random.pick(['Home', 'Work']), at),
      () => withNote(list, random.pick(['', 'For May.']), at),
      () => ({ ...list, deletedAt: at }),
    ])();

  it('end with one list, in either order and however often they hear of each other', () => {
    forAll(300, (random) => {
      let clock = 10;
      const base = listOf(random.int(0, 6));
      let [one, other] = [base, base];
      for (let step = 0; step < 12; step += 1) {
        clock += random.int(0, 1);
        if (random.chance(0.5)) one = mergeLists(one, changed(one, random, clock));
        else other = mergeLists(other, changed(other, random, clock));
        if (random.chance(0.1)) one = mergeLists(one, other);
      }
      const merged = mergeLists(one, other);
      expect(mergeLists(other, one)).toEqual(merged);
      expect(mergeLists(mergeLists(merged, one), other)).toEqual(merged);
      expect(listEditedAt(merged)).toBe(Math.max(listEditedAt(one), listEditedAt(other)));
      // Each book once, and any move goes on from there.
      const ids = idsOf(merged);
      expect(new Set(ids).size).toBe(ids.length);
      const last = ids.at(-1);
      if (last !== undefined) expect(idsOf(mergeLists(merged, moved(merged, last, 0, clock + 1)))).toEqual(orderAfter(ids, last, 0));
    });
  });

  it('that both put books at the end have all of them, in one order', () => {
    const base = listOf(2);
    const merged = mergeLists(withBook(base, book(8), 10), withBook(base, book(7), 11));
    expect(idsOf(merged)).toEqual([1, 2, 7, 8]);
    expect(idsOf(moved(merged, 1, 2, 12))).toEqual([2, 7, 1, 8]);
  });
});
