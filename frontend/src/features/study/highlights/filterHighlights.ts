// The list of a member's highlights: its filters in the URL, its search, and its groups (study.highlights-page). Pure functions.
import { folded } from '@/shared/study/anchors';
import { COLORS } from '@/shared/study/colors';
import type { HighlightColor } from '@/shared/study/colors';
import { tagKey, tagsOf } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';

/** The states that can be filtered by, with their labels. */
export const STATES = { note: 'With a note', edited: 'Text was edited', gone: 'No longer in the summary' } as const;
export type HighlightState = keyof typeof STATES;

export interface HighlightFilters {
  /** Empty: no search. */
  q: string;
  /** The key of a source. */
  book: string | null;
  tag: string | null;
  color: HighlightColor | null;
  state: HighlightState | null;
}

export type FilterName = keyof HighlightFilters;
export const FILTER_NAMES: readonly FilterName[] = ['q', 'book', 'tag', 'color', 'state'];

const isState = (text: string | null): text is HighlightState => text !== null && Object.hasOwn(STATES, text);

/** The filters in the URL. Unknown colors and states are ignored. */
export function filtersIn(params: URLSearchParams): HighlightFilters {
  const state = params.get('state');
  return {
    q: params.get('q')?.trim() ?? '',
    book: params.get('book') || null,
    tag: params.get('tag') || null,
    color: COLORS.find((color) => color === params.get('color')) ?? null,
    state: isState(state) ? state : null,
  };
}

export const isFiltered = ({ q, ...others }: HighlightFilters): boolean => q !== '' || Object.values(others).some((value) => value !== null);

/** Only what is searched and filtered by is needed of a record. */
interface Kept {
  state: Highlight;
}

/**
 * What a source is called in the URL: a book by its `subid`. The other keys have a slash, which no `subid` has: an own summary, and
 * a source that was deleted, of which the highlights keep title and author.
 */
export function sourceKey({ bookId, subid, summaryId, title, author }: Highlight): string {
  if (bookId !== null) return subid ?? `book/${bookId}`;
  return summaryId !== null ? `ai/${summaryId}` : `deleted/${title}/${author}`;
}

/** As texts are compared: without regard to case, accents and typographic characters. */
const plain = (text: string): string => folded(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The searched text of each highlight: a search goes through all of them at each key. */
const texts = new WeakMap<Highlight, string>();

function textOf(highlight: Highlight): string {
  const known = texts.get(highlight);
  if (known !== undefined) return known;
  const text = plain([highlight.anchor?.exact ?? '', highlight.note.value, highlight.title, ...tagsOf(highlight)].join('\n'));
  texts.set(highlight, text);
  return text;
}

/** The words of a search. A tag may be typed with its '#'. */
const wordsOf = (q: string): string[] =>
  plain(q)
    .split(/\s+/)
    .map((word) => word.replace(/^#+(?=.)/, ''))
    .filter((word) => word !== '');

function isInState({ note, place }: Highlight, state: HighlightState): boolean {
  if (state === 'note') return note.value !== '';
  return place?.state === (state === 'edited' ? 'changed' : 'gone');
}

/** Those that have all words of the search, in any of their parts, and match the filters; in the given order. */
export function filterHighlights<T extends Kept>(all: readonly T[], { q, book, tag, color, state }: HighlightFilters): T[] {
  const words = wordsOf(q);
  const tagged = tag === null ? null : tagKey(tag);
  return all.filter(({ state: one }) => {
    if (book !== null && sourceKey(one) !== book) return false;
    if (color !== null && one.color.value !== color) return false;
    if (state !== null && !isInState(one, state)) return false;
    if (tagged !== null && !tagsOf(one).some((other) => tagKey(other) === tagged)) return false;
    return words.length === 0 || words.every((word) => textOf(one).includes(word));
  });
}

export interface SourceGroup<T> {
  key: string;
  /** The latest highlight, which names the source. */
  latest: Highlight;
  highlights: T[];
}

/** The highlights by source, in the given order: with the latest first, the source of the latest is the first. */
export function groupBySource<T extends Kept>(all: readonly T[]): SourceGroup<T>[] {
  const groups = new Map<string, SourceGroup<T>>();
  for (const one of all) {
    const key = sourceKey(one.state);
    const group = groups.get(key);
    if (group) group.highlights.push(one);
    else groups.set(key, { key, latest: one.state, highlights: [one] });
  }
  return [...groups.values()];
}

/** The first `count` highlights of the groups. */
export function firstOf<T>(groups: readonly SourceGroup<T>[], count: number): SourceGroup<T>[] {
  const first: SourceGroup<T>[] = [];
  let left = count;
  for (const group of groups) {
    if (left <= 0) break;
    first.push({ ...group, highlights: group.highlights.slice(0, left) });
    left -= group.highlights.length;
  }
  return first;
}

/** A value that can be filtered by. */
export interface Choice {
  value: string;
  label: string;
  count: number;
}

const byLabel = (one: Choice, other: Choice): number => one.label.localeCompare(other.label, 'en');

/** The sources of the highlights, by title. */
export const sourceChoices = (all: readonly Kept[]): Choice[] =>
  groupBySource(all)
    .map(({ key, latest, highlights }) => ({ value: key, label: latest.title, count: highlights.length }))
    .sort(byLabel);

/** The tags of the highlights. Of several spellings the latest highlight's is shown. */
export function tagChoices(all: readonly Kept[]): Choice[] {
  const choices = new Map<string, Choice>();
  for (const tag of all.flatMap(({ state }) => tagsOf(state))) {
    const known = choices.get(tagKey(tag));
    choices.set(tagKey(tag), { value: tagKey(tag), label: known?.label ?? tag, count: (known?.count ?? 0) + 1 });
  }
  return [...choices.values()].sort(byLabel);
}
