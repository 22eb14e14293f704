// How a book opens on this device: at which section, and what is asked about the member's other devices.
import type { Book } from '@/api/types';
import { deviceId, knownPlace } from '@/domain/places';
import { openingOf } from '@/features/reading/devices';
import type { Question, StoredPlace } from '@/features/reading/devices';
import { startAt } from '@/features/reading/position';

export interface Opening {
  /** The section that is shown first, from 0. */
  start: number;
  question: Question | null;
  /** When this device or the server last had a place in the book, in ms; 0 when neither has. */
  since: number;
  /** The book is finished and opens at its beginning. */
  again: boolean;
  /** Nothing was ever saved for this book. */
  first: boolean;
}

/** `total`: how many sections are shown; `lastText`: the last one with text. */
export function openAt(book: Book, member: number | null, total: number, lastText: number): Opening {
  const { search } = window.location;
  if (member === null) {
    return { start: startAt({ search, saved: book.position, total }), question: null, since: 0, again: false, first: false };
  }
  const known = knownPlace(member, book.id);
  // The server has a position without a place when nothing was ever saved.
  const stored: StoredPlace | null = book.place ?? (book.position > 0 ? { position: book.position, at: 0, device: null } : null);
  const begun = openingOf({ search, total, stored, known, device: deviceId(), end: book.completed ? lastText : null });
  return { ...begun, since: Math.max(stored?.at ?? 0, known?.at ?? 0), first: stored === null && known === null };
}
