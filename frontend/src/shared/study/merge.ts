// Merges states of one record that several devices and the server know (study.highlight-merge, study.commitment-merge, study.list-merge). The result does
// not depend on the order of the states, nor on how often one arrives. The server merges by the same rules (crates/study).
import type { Anchor } from '@/shared/study/anchors';
import { COLORS } from '@/shared/study/colors';
import { OUTCOMES } from '@/shared/study/commitments/commitment';
import type { Commitment, Outcome } from '@/shared/study/commitments/commitment';
import type { ListBook, ReadingList } from '@/shared/study/lists/list';
import type { CardContent, Highlight, Register, ReviewCard, Tag } from '@/shared/study/records';
import { tagKey } from '@/shared/study/records';

/** Negative when the first is less, as `Array.sort` takes it. */
type Compare<T> = (one: T, other: T) => number;

const compareNumbers: Compare<number> = (one, other) => one - other;
/** Null is less than any number. */
const compareOptional: Compare<number | null> = (one, other) => (one ?? -1) - (other ?? -1);

/** A UTF-16 unit such that units compare as the characters do: surrogates stand for characters above U+FFFF. */
const rankOf = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** Compares by Unicode characters, as the server does. */
const compareTexts: Compare<string> = (one, other) => {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at += 1) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
};

/** Compares lists by their first difference; of a list and its beginning the beginning is less. */
const compareLists =
  <T>(compare: Compare<T>): Compare<readonly T[]> =>
  (one, other) => {
    for (const [at, item] of one.entries()) {
      const counterpart = other[at];
      if (counterpart === undefined) return 1;
      const difference = compare(item, counterpart);
      if (difference !== 0) return difference;
    }
    return one.length - other.length;
  };

/** The first of several comparisons that finds a difference. */
const firstOf = (...differences: number[]): number => differences.find((difference) => difference !== 0) ?? 0;

const compareAnchors: Compare<Anchor> = (one, other) =>
  firstOf(
    compareOptional(one.section, other.section),
    one.start - other.start,
    one.end - other.end,
    compareTexts(one.exact, other.exact),
    compareTexts(one.prefix, other.prefix),
    compareTexts(one.suffix, other.suffix),
  );

const compareBlanks = compareLists<{ start: number; end: number }>((one, other) => firstOf(one.start - other.start, one.end - other.end));

const compareContents: Compare<CardContent> = (one, other) =>
  firstOf(compareTexts(one.question, other.question), compareTexts(one.answer, other.answer), compareBlanks(one.blanks, other.blanks));

/** The later of two; of the same moment the greater value. */
const later =
  <T>(compare: Compare<T>) =>
  (one: Register<T>, other: Register<T>): Register<T> =>
    firstOf(other.at - one.at, compare(other.value, one.value)) > 0 ? other : one;

const laterColor = later<Highlight['color']['value']>((one, other) => COLORS.indexOf(one) - COLORS.indexOf(other));
const laterText = later(compareTexts);
const laterContent = later(compareContents);
const laterSwitch = later<boolean>((one, other) => Number(one) - Number(other));

const compareTags: Compare<Tag> = (one, other) => firstOf(one.at - other.at, Number(one.on) - Number(other.on), compareTexts(one.tag, other.tag));

/** Of each tag the latest; sorted by what they are compared by. */
function mergeTags(one: readonly Tag[], other: readonly Tag[]): Tag[] {
  const known = new Map<string, Tag>();
  for (const tag of [...one, ...other]) {
    const key = tagKey(tag.tag);
    const before = known.get(key);
    if (!before || compareTags(tag, before) > 0) known.set(key, tag);
  }
  return [...known].sort(([a], [b]) => compareTexts(a, b)).map(([, tag]) => tag);
}

const latest = (one: number | null, other: number | null): number | null => (one === null ? other : other === null ? one : Math.max(one, other));

const PARTS: readonly Highlight['part'][] = ['text', 'quote', 'source'];

/** A passage with words is less than one without: the server empties deleted highlights. */
const comparePassages: Compare<Pick<Highlight, 'part' | 'anchor'>> = (one, other) => {
  const rank = ({ anchor }: Pick<Highlight, 'anchor'>) => (anchor === null ? 2 : anchor.exact === '' ? 1 : 0);
  return firstOf(
    rank(one) - rank(other),
    PARTS.indexOf(one.part) - PARTS.indexOf(other.part),
    one.anchor && other.anchor ? compareAnchors(one.anchor, other.anchor) : 0,
  );
};

/** The state that the server has changed last: it decides what only the server knows. */
const newest = <T extends { version: number | null }>(one: T, other: T): T => (compareOptional(other.version, one.version) > 0 ? other : one);

export function mergeHighlights(one: Highlight, other: Highlight): Highlight {
  const { part, anchor } = comparePassages(one, other) <= 0 ? one : other;
  const { bookId, subid, summaryId, title, author, hue, place, version } = newest(one, other);
  const heard = [one.heard, other.heard].filter((at) => at !== null).sort((a, b) => compareNumbers(a.audio, b.audio));
  return {
    id: one.id,
    ...{ bookId, subid, summaryId, title, author, hue, place, version, part, anchor },
    heard: anchor === null ? (heard[0] ?? null) : null,
    color: laterColor(one.color, other.color),
    note: laterText(one.note, other.note),
    tags: mergeTags(one.tags, other.tags),
    createdAt: Math.min(one.createdAt, other.createdAt),
    deletedAt: latest(one.deletedAt, other.deletedAt),
  };
}

const KINDS: readonly ReviewCard['kind'][] = ['idea', 'highlight', 'own'];

const compareKinds: Compare<ReviewCard> = (one, other) =>
  firstOf(
    KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
    compareOptional(one.section, other.section),
    compareTexts(one.ideaTitle, other.ideaTitle),
    compareTexts(one.opening, other.opening),
    compareOptional(one.highlightId, other.highlightId),
  );

export function mergeCards(one: ReviewCard, other: ReviewCard): ReviewCard {
  const { kind, section, ideaTitle, opening, highlightId } = compareKinds(one, other) <= 0 ? one : other;
  const { bookId, subid, summaryId, title, author, schedule, version } = newest(one, other);
  return {
    id: one.id,
    ...{ bookId, subid, summaryId, title, author, schedule, version, kind, section, ideaTitle, opening, highlightId },
    content: laterContent(one.content, other.content),
    paused: laterSwitch(one.paused, other.paused),
    createdAt: Math.min(one.createdAt, other.createdAt),
    deletedAt: latest(one.deletedAt, other.deletedAt),
  };
}

const laterOutcome = later<Outcome>((one, other) => OUTCOMES.indexOf(one) - OUTCOMES.indexOf(other));

export function mergeCommitments(one: Commitment, other: Commitment): Commitment {
  const { bookId, subid, title, author, version } = newest(one, other);
  return {
    id: one.id,
    ...{ bookId, subid, title, author, version },
    text: laterText(one.text, other.text),
    outcome: laterOutcome(one.outcome, other.outcome),
    answeredDay: compareOptional(one.answeredDay, other.answeredDay) < 0 ? other.answeredDay : one.answeredDay,
    createdAt: Math.min(one.createdAt, other.createdAt),
    deletedAt: latest(one.deletedAt, other.deletedAt),
  };
}

/** A removal is less than any rank of the same moment. */
const compareRanks: Compare<ListBook> = (one, other) => firstOf(one.at - other.at, compareTexts(one.rank ?? '', other.rank ?? ''));

/** Of each book the greater rank, sorted by id. What is shown of a book is that of `newer`, if it knows the book. */
function mergeBooks(older: readonly ListBook[], newer: readonly ListBook[]): ListBook[] {
  const known = new Map(older.map((book) => [book.bookId, book]));
  for (const book of newer) {
    const before = known.get(book.bookId);
    const { rank, at } = before && compareRanks(before, book) > 0 ? before : book;
    known.set(book.bookId, { ...book, rank, at });
  }
  return [...known.values()].sort((one, other) => one.bookId - other.bookId);
}

export function mergeLists(one: ReadingList, other: ReadingList): ReadingList {
  const newer = newest(one, other);
  const { sharing, slug, teamListId, isTakenDown, version } = newer;
  return {
    id: one.id,
    ...{ sharing, slug, teamListId, isTakenDown, version },
    name: laterText(one.name, other.name),
    note: laterText(one.note, other.note),
    books: mergeBooks((newer === one ? other : one).books, newer.books),
    createdAt: Math.min(one.createdAt, other.createdAt),
    deletedAt: latest(one.deletedAt, other.deletedAt),
  };
}
