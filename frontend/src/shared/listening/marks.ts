// Maps times of a recording to the text: pure functions over the times at which sections and paragraphs begin.
import type { Mark } from '@/shared/listening/listening';

/** Tolerance of a seek, in seconds: browsers may land slightly before the target. */
export const NEAR = 0.15;

/** The elements of a section that count as paragraphs. The reader renders the text's own headings one level higher. */
export const BLOCKS = 'p, li, blockquote, h3, h4';

/** The index of the last of `all` that has begun at `at` seconds; -1 before the first, or when no times are known. */
export function lastBegun(all: readonly { at: number | null }[], at: number): number {
  let found = -1;
  for (const [i, one] of all.entries()) {
    if (one.at === null) continue;
    if (one.at > at + NEAR) break;
    found = i;
  }
  return found;
}

/** The mark of a paragraph, by its section and its index in it; null for `paragraph`: the heading. */
export const markOf = (marks: readonly Mark[], section: number, paragraph: number | null): Mark | null =>
  marks.find((mark) => mark.section === section && mark.paragraph === paragraph) ?? null;
