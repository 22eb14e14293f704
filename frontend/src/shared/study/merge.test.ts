import { describe, expect, it } from 'vitest';
import { COLORS } from '@/shared/study/colors';
import { isCommitmentShown } from '@/shared/study/commitments/commitment';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { isListShown } from '@/shared/study/lists/list';
import type { ListBook, ReadingList } from '@/shared/study/lists/list';
import { mergeCards, mergeCommitments, mergeHighlights, mergeLists } from '@/shared/study/merge';
import { MAX_TAGS, drawnPlace, editedAt, isCardShown, isShown, restored, tagsOf, withTag } from '@/shared/study/records';
import type { Highlight, ReviewCard } from '@/shared/study/records';
import { sampleCard, sampleCommitment, sampleHighlight, sampleReadingList, sampleListBook } from '@test/study';
import { forAll } from '@test/random';
import type { Random } from '@test/random';
import cases from '../../../../crates/study/src/commitment_cases.json';
import listCases from '../../../../crates/study/src/list_cases.json';

const TEXTS = ['', 'a', 'b', 'ab', '\ue000', '🌲'];
/** Few moments, so that many are equal. */
const moment = (random: Random) => random.int(1, 4);

function randomHighlight(random: Random): Highlight {
  const version = random.pick([null, 1, 2, 3]);
  const anchor = { section: random.pick([null, 0, 1]), start: random.int(0, 2), end: 9, exact: random.pick(TEXTS), prefix: random.pick(TEXTS), suffix: '' };
  return sampleHighlight({
    // What only the server knows follows from the version.
    bookId: version === 3 ? null : 12,
    title: version === null ? 'Walden' : `Walden ${version}`,
    version,
    part: random.pick(['text', 'quote', 'source']),
    anchor: random.chance(0.2) ? null : anchor,
    heard: random.chance(0.3) ? { audio: random.int(1, 2) } : null,
    color: { value: random.pick(COLORS), at: moment(random) },
    note: { value: random.pick(TEXTS), at: moment(random) },
    tags: random.list(random.int(0, 3), () => ({ tag: random.pick(['Habits', 'habits', 'Wood', '🌲']), on: random.chance(0.5), at: moment(random) })),
    createdAt: moment(random),
    deletedAt: random.pick([null, moment(random)]),
  });
}

function randomCard(random: Random): ReviewCard {
  const version = random.pick([null, 1, 2]);
  return sampleCard({
    version,
    title: version === null ? 'Walden' : `Walden ${version}`,
    kind: random.pick(['idea', 'highlight', 'own']),
    section: random.pick([null, 0, 1]),
    ideaTitle: random.pick(TEXTS),
    opening: random.pick(TEXTS),
    highlightId: random.pick([null, 5, 6]),
    content: {
      value: {
        question: random.pick(TEXTS),
        answer: random.pick(TEXTS),
        blanks: random.list(random.int(0, 2), () => ({ start: random.int(0, 2), end: random.int(3, 4) })),
      },
      at: moment(random),
    },
    paused: { value: random.chance(0.5), at: moment(random) },
    createdAt: moment(random),
    deletedAt: random.pick([null, moment(random)]),
  });
}

function randomCommitment(random: Random): Commitment {
  const version = random.pick([null, 1, 2]);
  return sampleCommitment({
    version,
    bookId: version === 2 ? null : 12,
    title: version === null ? 'Walden' : `Walden ${version}`,
    text: { value: random.pick(TEXTS), at: moment(random) },
    outcome: { value: random.pick(['open', 'done', 'dropped']), at: moment(random) },
    answeredDay: random.pick([null, 3, 14]),
    createdAt: moment(random),
    deletedAt: random.pick([null, moment(random)]),
  });
}

const BOOKS = [1, 2, 3];

function randomList(random: Random): ReadingList {
  const version = random.pick([null, 1, 2]);
  // The server's state has every book.
  const ids = version === null ? BOOKS.filter(() => random.chance(0.6)) : BOOKS;
  const title = version === null ? 'Walden' : `Walden ${version}`;
  const book = (bookId: number) =>
    sampleListBook({ bookId, title, subid: version === 2 ? null : 'walden', rank: random.pick(['Zz', 'a0', 'a1', null]), at: moment(random) });
  return sampleReadingList({
    version,
    sharing: version === 1 ? 'link' : version === 2 ? 'public' : 'private',
    slug: version === null ? null : `address-${version}`,
    teamListId: version === 1 ? 5 : null,
    isTakenDown: version === 2,
    name: { value: random.pick(TEXTS), at: moment(random) },
    note: { value: random.pick(TEXTS), at: moment(random) },
    books: random.shuffled(ids).map(book),
    createdAt: moment(random),
    deletedAt: random.pick([null, moment(random)]),
  });
}

/** The result of states that arrive in this order. */
const after = <T>(states: readonly T[], merge: (one: T, other: T) => T): T => states.slice(1).reduce(merge, states[0] as T);

function checkMerge<T>(make: (random: Random) => T, merge: (one: T, other: T) => T): void {
  forAll(500, (random) => {
    const states = random.list(random.int(1, 5), () => make(random));
    const merged = after([...states, ...states], merge);
    expect(after(random.shuffled([...states, ...states.slice(0, 2)]), merge)).toEqual(merged);
    expect(merge(merged, random.pick(states))).toEqual(merged);
    // In two groups, as two devices collect them.
    const cut = random.int(1, states.length);
    const [one, other] = [states.slice(0, cut), states.slice(cut)];
    if (other.length > 0) expect(merge(after([...other, ...other], merge), after([...one, ...one], merge))).toEqual(merged);
  });
}

describe('states of a highlight', () => {
  it('give one result, in any order, in any groups and any number of times', () => {
    checkMerge(randomHighlight, mergeHighlights);
  });

  it('give the latest color and note, and the earliest creation', () => {
    const merged = mergeHighlights(
      sampleHighlight({ color: { value: 'rose', at: 5 }, note: { value: 'old', at: 2 }, createdAt: 2 }),
      sampleHighlight({ color: { value: 'leaf', at: 4 }, note: { value: 'new', at: 3 }, createdAt: 1 }),
    );
    expect(merged).toMatchObject({ color: { value: 'rose', at: 5 }, note: { value: 'new', at: 3 }, createdAt: 1 });
  });

  it('of the same moment give the greater value, by characters', () => {
    const note = (value: string) => sampleHighlight({ note: { value, at: 1 } });
    expect(mergeHighlights(note('b'), note('ab')).note.value).toBe('b');
    // U+1F332 is above U+E000, though its first UTF-16 unit is below.
    expect(mergeHighlights(note('\ue000'), note('🌲')).note.value).toBe('🌲');
    const color = (value: Highlight['color']['value']) => sampleHighlight({ color: { value, at: 1 } });
    expect(mergeHighlights(color('sky'), color('honey')).color.value).toBe('sky');
  });

  it('give the latest of each tag, whatever its case', () => {
    const one = withTag(withTag(sampleHighlight({ tags: [] }), 'Habits', true, 1), 'wood', true, 1);
    const other = withTag(one, 'habits', false, 2);
    expect(tagsOf(mergeHighlights(one, other))).toEqual(['wood']);
    expect(tagsOf(mergeHighlights(withTag(other, 'HABITS', true, 3), one))).toEqual(['HABITS', 'wood']);
    expect(mergeHighlights(one, other).tags).toHaveLength(2);
  });

  it('of several devices show the latest 20 tags', () => {
    const add = (from: number, highlight: Highlight) =>
      Array.from({ length: 15 }, (_, i) => from + i).reduce((one, i) => withTag(one, `tag ${String(i).padStart(2, '0')}`, true, i), highlight);
    const tags = tagsOf(mergeHighlights(add(0, sampleHighlight()), add(10, sampleHighlight())));
    expect([tags.length, tags[0], tags.at(-1)]).toEqual([MAX_TAGS, 'tag 05', 'tag 24']);
  });

  it('keep the words that the server has already emptied', () => {
    const emptied = sampleHighlight({ anchor: { section: 0, start: 0, end: 3, exact: '', prefix: '', suffix: '' }, deletedAt: 1, version: 9 });
    const known = sampleHighlight({ version: 2 });
    expect(mergeHighlights(emptied, known)).toMatchObject({ anchor: known.anchor, version: 9 });
  });

  it('take the sentence that the server found for what was heard', () => {
    const heard = sampleHighlight({ anchor: null, heard: { audio: 81_234 }, place: null, version: null });
    const found = sampleHighlight({ version: 4 });
    expect(mergeHighlights(heard, found)).toMatchObject({ anchor: found.anchor, heard: null });
    expect(mergeHighlights(heard, heard)).toMatchObject({ anchor: null, heard: { audio: 81_234 } });
  });

  it('take source and place from the server’s last change', () => {
    const older = sampleHighlight({ version: 3, title: 'Waldn' });
    const newer = sampleHighlight({ version: 4, bookId: null, subid: null, place: { state: 'gone', section: null, start: null, end: null, text: null } });
    expect(mergeHighlights(newer, older)).toMatchObject({ bookId: null, title: newer.title, place: { state: 'gone' }, version: 4 });
  });
});

describe('states of a review card', () => {
  it('give one result, in any order, in any groups and any number of times', () => {
    checkMerge(randomCard, mergeCards);
  });

  it('give the latest content and pause', () => {
    const merged = mergeCards(
      sampleCard({ content: { value: { question: 'New?', answer: '', blanks: [] }, at: 5 }, paused: { value: true, at: 1 } }),
      sampleCard({ content: { value: { question: 'Old?', answer: '', blanks: [] }, at: 4 }, paused: { value: false, at: 2 } }),
    );
    expect(merged).toMatchObject({ content: { value: { question: 'New?' } }, paused: { value: false } });
  });
});

describe('states of a commitment (study.commitment-merge)', () => {
  it('give one result, in any order, in any groups and any number of times', () => {
    checkMerge(randomCommitment, mergeCommitments);
  });

  it('have cases that the server shares', () => expect(cases.length).toBeGreaterThan(8));

  it.each(cases)('$name', ({ states, merged, shown }) => {
    const all = states.map((state) => sampleCommitment(state as Partial<Commitment>));
    const expected = sampleCommitment(merged as Partial<Commitment>);
    expect(after(all, mergeCommitments)).toEqual(expected);
    expect(after([...all].reverse(), mergeCommitments)).toEqual(expected);
    expect(isCommitmentShown(expected)).toBe(shown);
  });
});

describe('states of a list (study.list-merge)', () => {
  it('give one result, in any order, in any groups and any number of times', () => {
    checkMerge(randomList, mergeLists);
  });

  it('give of each book the latest rank or removal, and of two of one moment the greater', () => {
    forAll(300, (random) => {
      const states = random.list(random.int(2, 5), () => randomList(random));
      for (const { bookId, rank, at } of after(states, mergeLists).books) {
        const all = states.flatMap(({ books }) => books.filter((book) => book.bookId === bookId));
        const last = all.filter((book) => book.at === Math.max(...all.map((one) => one.at)));
        const ranks = last.flatMap((book) => book.rank ?? []).sort();
        expect([rank, at]).toEqual([ranks.at(-1) ?? null, last[0]?.at]);
      }
    });
  });

  it('have cases that the server shares', () => expect(listCases.length).toBeGreaterThan(12));

  it.each(listCases)('$name', ({ states, merged, shown }) => {
    const stateOf = ({ books, ...rest }: Omit<Partial<ReadingList>, 'books'> & { books: Partial<ListBook>[] }) =>
      sampleReadingList({ ...rest, books: books.map(sampleListBook) });
    const all = states.map(stateOf);
    const expected = stateOf(merged);
    expect(after(all, mergeLists)).toEqual(expected);
    expect(after([...all].reverse(), mergeLists)).toEqual(expected);
    expect(isListShown(expected)).toBe(shown);
  });

  it('take what is shown of a book, and the sharing, from the server’s last change', () => {
    const older = sampleReadingList({ version: 3, sharing: 'public', slug: 'simple-living', books: [sampleListBook({ at: 9, rank: 'a5' })] });
    const newer = sampleReadingList({
      version: 4,
      sharing: 'private',
      isTakenDown: true,
      books: [sampleListBook({ subid: null, title: 'Walden, or Life', at: 1 })],
    });
    for (const merged of [mergeLists(newer, older), mergeLists(older, newer)]) {
      expect(merged).toMatchObject({ version: 4, sharing: 'private', slug: null, isTakenDown: true });
      expect(merged.books).toEqual([sampleListBook({ subid: null, title: 'Walden, or Life', at: 9, rank: 'a5' })]);
    }
  });

  it('keep a book that only this device has', () => {
    const own = sampleReadingList({ version: 3, books: [sampleListBook(), sampleListBook({ bookId: 4, rank: 'a1' })] });
    expect(mergeLists(sampleReadingList({ version: 4 }), own).books.map(({ bookId }) => bookId)).toEqual([4, 12]);
  });
});

describe('a deleted record', () => {
  it('is not shown, and a later change brings it back', () => {
    const deleted = sampleHighlight({ createdAt: 1, color: { value: 'sky', at: 2 }, note: { value: '', at: 2 }, tags: [], deletedAt: 5 });
    expect([isShown(sampleHighlight({ deletedAt: null })), isShown(deleted), isShown(restored(deleted, 6))]).toEqual([true, false, true]);
    expect(isShown(withTag(deleted, 'wood', true, 6))).toBe(true);
    expect(editedAt(withTag(deleted, 'wood', false, 8))).toBe(8);
  });

  it('stays deleted for a change of the same moment', () => {
    expect(isShown(restored(sampleHighlight({ deletedAt: 9 }), 9))).toBe(false);
    expect(isCardShown(sampleCard({ deletedAt: 9, paused: { value: true, at: 9 } }))).toBe(false);
    expect(isCardShown(sampleCard({ deletedAt: 9, paused: { value: true, at: 10 } }))).toBe(true);
  });
});

describe('a highlight is drawn', () => {
  const TEXT = 'I went to the woods because I wished to live deliberately.';
  const anchor = { section: 0, start: 14, end: 19, exact: 'woods', prefix: 'I went to the ', suffix: ' because I wished to live deliber' };
  const at = (start: number, end: number) => ({ section: 0, start, end });

  it('at the server’s place, when its words stand there', () => {
    const place = { state: 'same', ...at(14, 19), text: null } as const;
    expect(drawnPlace({ anchor, place }, [TEXT])).toEqual({ ...at(14, 19), isChanged: false });
  });

  it('where its words are, when this text is not the one that the server looked at', () => {
    const place = { state: 'same', ...at(10, 15), text: null } as const;
    const gone = { state: 'gone', section: null, start: null, end: null, text: null } as const;
    for (const one of [place, gone, null]) expect(drawnPlace({ anchor, place: one }, [TEXT])).toEqual({ ...at(14, 19), isChanged: false });
    expect(drawnPlace({ anchor, place }, ['Another text.'])).toBeNull();
  });

  it('over edited words only where exactly these stand', () => {
    const edited = TEXT.replace('woods', 'forest');
    const place = { state: 'changed', ...at(14, 20), text: 'forest' } as const;
    expect(drawnPlace({ anchor, place }, [edited])).toEqual({ ...at(14, 20), isChanged: true });
    expect(drawnPlace({ anchor, place }, [TEXT.replace('woods', 'desert')])).toBeNull();
    // The copy on this device is older than the edit.
    expect(drawnPlace({ anchor, place }, [TEXT])).toEqual({ ...at(14, 19), isChanged: false });
  });

  it('nowhere while its sentence is not known', () => {
    expect(drawnPlace({ anchor: null, place: null }, [TEXT])).toBeNull();
  });
});
