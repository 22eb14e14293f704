// The sentences that are picked by key (study.key-selection): pure functions of the sentences of a section and the keys.
import type { Passage } from '@/shared/study/highlights/drawHighlights';
import { isTooLong } from '@/shared/study/highlights/selection';

/** The first and the last picked sentence, by their index. */
export interface SentenceCursor {
  first: number;
  last: number;
}

export type CursorStep = 'next' | 'previous' | 'longer' | 'shorter';

/** The text from the first to the last picked sentence; null when there are none. */
export function pickedPassage(sentences: readonly Passage[], { first, last }: SentenceCursor): Passage | null {
  const [from, to] = [sentences[first], sentences[last]];
  return from && to ? { start: from.start, end: to.end } : null;
}

/** The cursor after a key. At the ends of the section, and where a highlight would be too long, it stays. */
export function moveCursor(sentences: readonly Passage[], cursor: SentenceCursor, step: CursorStep): SentenceCursor {
  const { first, last } = cursor;
  const next: SentenceCursor = {
    next: { first: last + 1, last: last + 1 },
    previous: { first: first - 1, last: first - 1 },
    longer: { first, last: last + 1 },
    shorter: { first, last: Math.max(first, last - 1) },
  }[step];
  const passage = pickedPassage(sentences, next);
  if (!passage) return cursor;
  return step === 'longer' && isTooLong(passage) ? cursor : next;
}

/** The cursor on the sentence that has a position, or else on the next one; null when there is none. */
export function cursorAt(sentences: readonly Passage[], at: number): SentenceCursor | null {
  const index = sentences.findIndex(({ end }) => end > at);
  return index < 0 ? null : { first: index, last: index };
}
