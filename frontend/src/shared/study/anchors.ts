// Anchors of highlights: quote and position, by which a passage is found again (study.anchor-search). Positions are in
// Unicode characters. The server searches in the same way (crates/study/src/anchor.rs), and also for edited words.
import { charsIn, charsOf } from '@/shared/study/chars';

/** Limit of a passage, in characters (study.highlight-sources). */
export const QUOTE_MAX_CHARS = 2_000;
/** Characters kept on each side of a passage (study.highlight-anchor). */
export const CONTEXT_CHARS = 32;
/** Words of this length are found without their surroundings when they stand only once (study.anchor-search). */
export const LONE_QUOTE_CHARS = 24;

export interface Anchor {
  /** The index of the section, from 0; of the idea in an own summary; null in a quote or a source. */
  section: number | null;
  start: number;
  end: number;
  /** The words. */
  exact: string;
  /** What stands before and after them in the section. */
  prefix: string;
  suffix: string;
}

/** A range of a section's text. */
export interface Found {
  section: number;
  start: number;
  end: number;
}

const PLAIN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from('\u2018\u2019\u201b\u2032', (quote) => [quote, "'"])),
  ...Object.fromEntries(Array.from('\u201c\u201d\u201f\u2033', (quote) => [quote, '"'])),
  ...Object.fromEntries(Array.from('\u2010\u2011\u2012\u2013\u2014\u2015\u2212', (dash) => [dash, '-'])),
  ...Object.fromEntries(Array.from('\u00a0\u202f\u2009', (space) => [space, ' '])),
};

/** Replaces typographic quotation marks, dashes and no-break spaces by their plain forms, one character by one character. */
export const folded = (text: string): string =>
  text.replace(/[\u2018\u2019\u201b\u2032\u201c\u201d\u201f\u2033\u2010-\u2015\u2212\u00a0\u202f\u2009]/g, (c) => PLAIN[c] ?? c);

/** The anchor of a range of a section; null when the range has no characters, or the section ends before it. */
export function anchorOf(text: string, section: number | null, start: number, end: number): Anchor | null {
  if (start < 0 || start >= end || end > charsIn(text)) return null;
  return {
    section,
    start,
    end,
    exact: charsOf(text, start, end),
    prefix: charsOf(text, Math.max(0, start - CONTEXT_CHARS), start),
    suffix: charsOf(text, end, end + CONTEXT_CHARS),
  };
}

interface Candidate extends Found {
  /** How many characters before and after the words are those of the anchor. */
  context: number;
  isAccepted: boolean;
}

/** Where the words stand in a text, in UTF-16 units; overlapping places too. */
function* placesOf(words: string, text: string): Generator<number> {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) yield at;
}

/** How many characters at the end of both texts are equal. */
function equalAtEnd(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let equal = 0;
  while (equal < most && one[one.length - 1 - equal] === other[other.length - 1 - equal]) equal += 1;
  return equal;
}

function equalAtStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let equal = 0;
  while (equal < most && one[equal] === other[equal]) equal += 1;
  return equal;
}

/**
 * Finds an anchor's words in the sections of a text; null where they are gone, and where they were edited: only the server
 * searches for edited words.
 */
export function find(anchor: Anchor, texts: readonly string[]): Found | null {
  if (anchor.exact === '') return null;
  const exact = folded(anchor.exact);
  const prefix = Array.from(folded(anchor.prefix)).slice(-CONTEXT_CHARS);
  const suffix = Array.from(folded(anchor.suffix)).slice(0, CONTEXT_CHARS);
  const length = charsIn(exact);
  const candidates: Candidate[] = [];
  for (const [section, original] of texts.entries()) {
    const text = folded(original);
    for (const at of placesOf(exact, text)) {
      const after = at + exact.length;
      // A character has at most two units.
      const left = Array.from(text.slice(Math.max(0, at - 2 * prefix.length), at));
      const right = Array.from(text.slice(after, after + 2 * suffix.length));
      const before = equalAtEnd(prefix, left);
      const behind = equalAtStart(suffix, right);
      const start = charsIn(text.slice(0, at));
      // A side that is shorter than usual says that the section began or ended there.
      const agreesBefore = before === prefix.length && (before === CONTEXT_CHARS || before === start);
      const agreesAfter = behind === suffix.length && (behind === CONTEXT_CHARS || behind === charsIn(text.slice(after)));
      const all = prefix.length + suffix.length;
      candidates.push({
        section,
        start,
        end: start + length,
        context: before + behind,
        isAccepted: agreesBefore || agreesAfter || (all > 0 && 2 * (before + behind) >= all),
      });
    }
  }
  const isLone = candidates.length === 1 && length >= LONE_QUOTE_CHARS;
  const distance = (one: Candidate) => [Math.abs(one.section - (anchor.section ?? 0)), Math.abs(one.start - anchor.start), one.section, one.start];
  const [best] = candidates.filter(({ isAccepted }) => isAccepted || isLone).sort((a, b) => b.context - a.context || compared(distance(a), distance(b)));
  return best ? { section: best.section, start: best.start, end: best.end } : null;
}

/** Compares two lists of the same length by their first difference. */
function compared(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** Whether a range of the sections has these words. */
export function hasWords(texts: readonly string[], { section, start, end }: Found, words: string): boolean {
  const text = texts[section];
  return words !== '' && text !== undefined && folded(charsOf(text, start, end)) === folded(words);
}
