// Coming back to a book after a while: the reader says where the member was.
import { readStored, writeStored } from '@/lib/browserStore';
import type { Question } from '@/features/reading-progress/reading/devices';

/** How old the place of a book is when the reader says where the member was, in ms. */
export const RETURN_AFTER = 7 * 24 * 60 * 60 * 1000;

interface Opened {
  /** The section that opens, from 0. */
  start: number;
  /** The number of sections with text. */
  sections: number;
  /** Whether the section is that of the saved place. */
  isStored: boolean;
  /** The URL names a section. */
  isAsked: boolean;
  /** Whether the book was completed. */
  completed: boolean;
  question: Question | null;
  /** When the place was saved, in ms; 0: unknown. */
  since: number;
  now: number;
}

/** Whether a member comes back to a place in the middle of a book that is more than a week old. */
export function isReturn({ start, sections, isStored, isAsked, completed, question, since, now }: Opened): boolean {
  if (start <= 0 || start >= sections || !isStored || isAsked || completed) return false;
  // Where the other device is further or elsewhere, that is asked alone.
  if (question !== null && question.kind !== 'moved') return false;
  return since > 0 && now - since > RETURN_AFTER;
}

const keyOf = (book: number): string => `returned-${book}`;

/** Whether the member has gone on since they came back to the place of this moment. */
export const hasGoneOn = (book: number, since: number): boolean => readStored('session', keyOf(book)) === String(since);

export const rememberGoneOn = (book: number, since: number): void => writeStored('session', keyOf(book), String(since));
