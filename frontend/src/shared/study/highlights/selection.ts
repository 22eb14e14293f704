// From a selection in the page to the passage that is highlighted: pure functions.
import { QUOTE_MAX_CHARS } from '@/shared/study/anchors';
import type { HighlightColor } from '@/shared/study/colors';
import type { Passage } from '@/shared/study/highlights/drawHighlights';
import type { SectionText } from '@/shared/study/sectionText';
import { offsetsOf } from '@/shared/study/sectionText';
import { NOTE_MAX, joinedNotes } from '@/shared/study/records';

const isSpace = (character: string | undefined): boolean => character !== undefined && character.trim() === '';

/** A passage without white space at its ends; null when nothing else is in it. */
export function trimmed(text: string, { start, end }: Passage): Passage | null {
  const characters = Array.from(text);
  let [first, last] = [start, end];
  while (first < last && isSpace(characters[first])) first += 1;
  while (last > first && isSpace(characters[last - 1])) last -= 1;
  return first < last ? { start: first, end: last } : null;
}

/** The part of the section's text that is selected; null when no words of it are. */
export function selectedPassage({ text, pieces }: SectionText, range: Range): Passage | null {
  const offsets = offsetsOf(pieces, range);
  return offsets && trimmed(text, offsets);
}

/** Whether a passage is longer than a highlight may be (study.highlight-sources). */
export const isTooLong = ({ start, end }: Passage): boolean => end - start > QUOTE_MAX_CHARS;

interface Colored extends Passage {
  id: number;
  color: HighlightColor;
  isChanged: boolean;
  note: string;
  /** Nothing else depends on it: its review card would be lost. */
  isJoinable: boolean;
}

/** What becomes of a new highlight beside those of its section. */
export type Joined =
  /** The passage is in a highlight of this color already. */
  | { existing: number }
  /** The passage to keep, and the highlights that it takes the place of. */
  | { existing: null; passage: Passage; replaced: number[] };

/**
 * Joins a new passage with the highlights of its color that it overlaps. Those whose words were edited stay: the new one can't
 * have their words. So do those that are not joinable, and those with which it or its note would be too long.
 */
export function joined(passage: Passage, color: HighlightColor, highlights: readonly Colored[]): Joined {
  const own = highlights.filter((one) => one.color === color && !one.isChanged);
  const around = own.find(({ start, end }) => start <= passage.start && end >= passage.end);
  if (around) return { existing: around.id };
  let union = passage;
  const replaced: Colored[] = [];
  for (let found = true; found; ) {
    const current = union;
    const next = own.find((one) => {
      const isOverlap = !replaced.includes(one) && one.start < current.end && one.end > current.start;
      return isOverlap && one.isJoinable && !isTooLong(unionOf(current, one)) && areNotesShort([...replaced, one]);
    });
    found = next !== undefined;
    if (!next) continue;
    union = unionOf(current, next);
    replaced.push(next);
  }
  return { existing: null, passage: union, replaced: replaced.map(({ id }) => id) };
}

const areNotesShort = (all: readonly Colored[]): boolean => joinedNotes(all.map(({ note }) => note)).length <= NOTE_MAX;

const unionOf = (one: Passage, other: Passage): Passage => ({ start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) });
