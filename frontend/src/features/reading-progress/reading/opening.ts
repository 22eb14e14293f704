// How a book opens on this device: at which section, and whether to ask about the member's other devices.
import { serverNow } from '@/api/clock';
import type { Book } from '@/api/types';
import { VISITOR, deviceId, knownPlace } from '@/shared/positions/places';
import { openingOf, paragraphAt } from '@/features/reading-progress/reading/devices';
import type { Question, StoredPlace } from '@/features/reading-progress/reading/devices';
import { hasGoneOn, isReturn } from '@/features/reading-progress/reading/returning';
import { placeInAddress, startAt } from '@/shared/reader/position';

export interface Opening {
  /** The section that is shown first, from 0. */
  start: number;
  /** The paragraph at the top of the screen, from 0; null: the section's beginning. */
  paragraph: number | null;
  /** Whether the section comes from a stored position; a section from a link is saved only once it is read. */
  isStored: boolean;
  question: Question | null;
  /** The latest time at which this device or the server had a position in the book, in ms; 0 when neither has one. */
  since: number;
  /** The book is completed and opens at its beginning. */
  again: boolean;
  /** A member's book opens at its last section or at the rating form; false for visitors. */
  atEnd: boolean;
  /** No position was ever saved for this book. */
  first: boolean;
  /** The member comes back to the book after a while, and has not gone on since. */
  isReturn: boolean;
}

/** `sections`: the number of sections with text; after them comes the rating form of a member who has not rated. */
export function openAt(book: Book, member: number | null, sections: number): Opening {
  const total = sections + (member !== null && !book.hasRatingsFromUser ? 1 : 0);
  const { search } = window.location;
  if (member === null) {
    const known = knownPlace(VISITOR, book.id);
    const start = startAt({ search, saved: known?.position ?? 0, total });
    return {
      start,
      paragraph: paragraphAt(start, null, known),
      isStored: known?.position === start,
      question: null,
      since: 0,
      again: false,
      atEnd: false,
      first: false,
      isReturn: false,
    };
  }
  const known = knownPlace(member, book.id);
  // Without any saved position the server returns `position` 0 and no `place`. A position without a place has no known time.
  const stored: StoredPlace | null = book.place ?? (book.position > 0 ? { position: book.position, paragraph: null, at: 0, device: null } : null);
  const begun = openingOf({ search, total, stored, known, device: deviceId(), end: book.completed ? sections - 1 : null });
  const paragraph = begun.again ? null : paragraphAt(begun.start, stored, known);
  const isStored = stored?.position === begun.start || known?.position === begun.start;
  const since = Math.max(stored?.at ?? 0, known?.at ?? 0);
  const isAsked = placeInAddress(search, total) !== null;
  const returns = isReturn({ ...begun, sections, isStored, isAsked, completed: book.completed, since, now: serverNow() }) && !hasGoneOn(book.id, since);
  return { ...begun, paragraph, isStored, since, atEnd: begun.start >= sections - 1, first: stored === null && known === null, isReturn: returns };
}
