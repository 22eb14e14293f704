// What a member keeps, as the devices and the server tell each other: highlights and review cards. A record is a small state
// that merges with any other state of the same record (shared/study/merge.ts).
import type { Anchor, Found } from '@/shared/study/anchors';
import { find, hasWords } from '@/shared/study/anchors';
import type { HighlightColor } from '@/shared/study/colors';

/** A value and the moment at which it was set, by the server's clock in ms. */
export interface Register<T> {
  value: T;
  at: number;
}

/** Which text of the source: the full text or an idea, a quote of the book, or the source of an own summary. */
export type Part = 'text' | 'quote' | 'source';

export interface Tag {
  tag: string;
  /** Whether the highlight has it: a tag that was taken away stays known, with the moment. */
  on: boolean;
  at: number;
}

/** Where the server finds a highlight in the present text (study.anchor-states). */
export type Place =
  | ({ state: 'same'; text: null } & Found)
  /** `text`: the words that stand there now. */
  | ({ state: 'changed'; text: string } & Found)
  | { state: 'gone'; section: null; start: null; end: null; text: null };

export interface Highlight {
  id: number;
  /** The source: a book or an own summary; null where it was deleted. */
  bookId: number | null;
  subid: string | null;
  summaryId: number | null;
  title: string;
  author: string;
  /** The hue of the book's category, in degrees. */
  hue: number | null;
  part: Part;
  /** Null for a sentence that was heard, until the server has found it. */
  anchor: Anchor | null;
  /** The recording's position, in ms, at which a sentence was kept from the player; null once the server has found the sentence. */
  heard: { audio: number } | null;
  /** Null: the server does not have the highlight yet. */
  place: Place | null;
  color: Register<HighlightColor>;
  /** Empty: none. */
  note: Register<string>;
  tags: readonly Tag[];
  createdAt: number;
  /** A later change brings the highlight back (study.deleted-highlights). */
  deletedAt: number | null;
  /** The number of the server's last change; null: the server does not have it yet. */
  version: number | null;
}

/** A range of characters. */
export interface Blank {
  start: number;
  end: number;
}

export interface CardContent {
  question: string;
  answer: string;
  /** The hidden words of a highlight. */
  blanks: readonly Blank[];
}

/** What the server derives for a review card: what it shows, and its schedule. */
export interface CardSchedule {
  question: string;
  answer: string;
  /** The answer is that of an idea which the member may not read any more. */
  isLocked: boolean;
  state: 'ok' | 'gone';
  /** Days of the member's calendar, as YYYY-MM-DD. */
  due: string;
  last: string | null;
  answers: number;
  lapses: number;
  /** The intervals after Again, Hard, Good and Easy, in days. */
  next: readonly [number, number, number, number];
  /** Where an idea is in the present text; null: nowhere. */
  section?: number | null;
  /** Beyond the cards that are in review without a plan (study.free-cards). */
  isWaiting: boolean;
}

export interface ReviewCard {
  id: number;
  kind: 'idea' | 'highlight' | 'own';
  bookId: number | null;
  subid: string | null;
  summaryId: number | null;
  title: string;
  author: string;
  /** Of kind 'highlight'. */
  highlightId: number | null;
  /** Of kind 'idea': by what it is found in the present text. */
  section: number | null;
  ideaTitle: string;
  opening: string;
  content: Register<CardContent>;
  paused: Register<boolean>;
  createdAt: number;
  deletedAt: number | null;
  /** Null: the server does not have the card yet. */
  schedule: CardSchedule | null;
  version: number | null;
}

/** A rating of a review card: 1 Again, 2 Hard, 3 Good, 4 Easy. */
export type Rating = 1 | 2 | 3 | 4;

export interface CardAnswer {
  id: number;
  cardId: number;
  rating: Rating;
  at: number;
}

/** The latest moment of any part of a highlight. */
export const editedAt = ({ createdAt, color, note, tags }: Highlight): number => Math.max(createdAt, color.at, note.at, ...tags.map(({ at }) => at));

export const cardEditedAt = ({ createdAt, content, paused }: ReviewCard): number => Math.max(createdAt, content.at, paused.at);

/** Whether a highlight is there: it was not deleted, or was changed since. */
export const isShown = (highlight: Highlight): boolean => highlight.deletedAt === null || highlight.deletedAt < editedAt(highlight);

export const isCardShown = (card: ReviewCard): boolean => card.deletedAt === null || card.deletedAt < cardEditedAt(card);

/** The longest note, in characters as a text field counts them (study.highlight-notes). */
export const NOTE_MAX = 5_000;

/** Notes as one; empty ones are left out. */
export const joinedNotes = (notes: readonly string[]): string => notes.filter((note) => note.trim() !== '').join('\n\n');

/** The most tags of a highlight (study.highlight-notes). */
export const MAX_TAGS = 20;

/** As tags are compared (study.highlight-notes). */
export const tagKey = (tag: string): string => tag.toLowerCase();

const byKey = (one: Tag, other: Tag): number => (tagKey(one.tag) < tagKey(other.tag) ? -1 : 1);

/** The tags that a highlight has: those set last, if several devices together have set more than it may have. */
export function tagsOf({ tags }: Highlight): string[] {
  const latest = tags.filter(({ on }) => on).sort((one, other) => other.at - one.at || byKey(one, other));
  return latest
    .slice(0, MAX_TAGS)
    .sort(byKey)
    .map(({ tag }) => tag);
}

/** The highlight with a tag, or without it. */
export function withTag(highlight: Highlight, tag: string, on: boolean, at: number): Highlight {
  const others = highlight.tags.filter((one) => tagKey(one.tag) !== tagKey(tag));
  return { ...highlight, tags: [...others, { tag, on, at }] };
}

/** A deleted highlight, brought back: it is changed at `at`, to what it was. */
export const restored = (highlight: Highlight, at: number): Highlight => ({ ...highlight, color: { ...highlight.color, at } });

/** Where a highlight is drawn. */
export interface DrawnPlace extends Found {
  /** Its words were edited. */
  isChanged: boolean;
}

/**
 * Where a highlight is drawn in these sections: at the server's place when the words stand there, otherwise where its own
 * words are found; null: nowhere. An offline copy may be older or newer than the text that the server looked at.
 */
export function drawnPlace({ anchor, place }: Pick<Highlight, 'anchor' | 'place'>, texts: readonly string[]): DrawnPlace | null {
  if (!anchor) return null;
  if (place && place.state !== 'gone') {
    const { section, start, end } = place;
    if (hasWords(texts, place, place.state === 'same' ? anchor.exact : place.text)) {
      return { section, start, end, isChanged: place.state === 'changed' };
    }
  }
  const found = find(anchor, texts);
  return found && { ...found, isChanged: false };
}
