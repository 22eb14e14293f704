// The words of a highlight with the hidden ones apart, as its review card shows them. Positions are in Unicode characters.
import { charsIn, charsOf } from '@/shared/study/chars';
import type { Blank } from '@/shared/study/records';

/** A part of a highlight's words. */
export interface ClozePart {
  text: string;
  isHidden: boolean;
}

/** The words with the hidden ones apart, in order. Blanks outside of the text, or in another, are left out. */
export function clozeOf(text: string, blanks: readonly Blank[]): ClozePart[] {
  const parts: ClozePart[] = [];
  const length = charsIn(text);
  let at = 0;
  const add = (end: number, isHidden: boolean) => {
    if (end > at) parts.push({ text: charsOf(text, at, end), isHidden });
    at = Math.max(at, end);
  };
  for (const { start, end } of [...blanks].sort((one, other) => one.start - other.start)) {
    if (start < at || end <= start || end > length) continue;
    add(start, false);
    add(end, true);
  }
  add(length, false);
  return parts;
}
