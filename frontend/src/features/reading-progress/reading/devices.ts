// One book on several devices: where reading begins, and what the reader is asked. Pure functions. A member is never moved
// backwards without being asked. Sections count from 0, times are the server's, in ms.
import type { KnownPlace } from '@/shared/positions/places';
import { placeInAddress } from '@/shared/reader/position';

/** A position that the server has stored. */
export interface StoredPlace extends KnownPlace {
  /** The device that saved it; null when it is unknown. */
  device: string | null;
}

/** A question about another device's position. */
export interface Question {
  /** further, elsewhere: only the other device is there. moved: this device has already gone to the other one's position. */
  kind: 'further' | 'elsewhere' | 'moved';
  /** The section to go to if accepted: the other device's, or back to this one's. */
  to: number;
  /** When the other device was there, so that the same question is not asked twice. */
  at: number;
}

interface Opening {
  search: string;
  total: number;
  /** The server's position; null when it has none. */
  stored: StoredPlace | null;
  /** The position stored on this device; null when the book was never read on it. */
  known: KnownPlace | null;
  device: string;
  /** The last section with text, for a completed book; null for others. */
  end: number | null;
}

const valid = (position: number | undefined, total: number): position is number =>
  position !== undefined && Number.isInteger(position) && position >= 0 && position < total;

interface OpeningPlace {
  start: number;
  question: Question | null;
}

/** The paragraph to open at: the latest known in the section that opens; null: the section's beginning. */
export function paragraphAt(start: number, stored: StoredPlace | null, known: KnownPlace | null): number | null {
  const there = [stored, known].filter((place) => place?.position === start);
  return there.toSorted((a, b) => (b?.at ?? 0) - (a?.at ?? 0))[0]?.paragraph ?? null;
}

/**
 * Where reading begins, the question to ask, and whether the book is read again: a completed book that was left at
 * its end opens at its beginning. That is not saved, so that no other device is affected.
 */
export function openingOf(opening: Opening): OpeningPlace & { again: boolean } {
  const begun = place(opening);
  const { end, search, total } = opening;
  const again = end !== null && end > 0 && begun.start >= end && placeInAddress(search, total) === null;
  return again ? { start: 0, question: null, again } : { ...begun, again };
}

function place({ search, total, stored, known, device }: Opening): OpeningPlace {
  const address = placeInAddress(search, total);
  const own = valid(known?.position, total) ? known : null;
  const here = address ?? own?.position ?? null;
  if (!stored || !valid(stored.position, total)) return { start: here ?? 0, question: null };
  const there = stored.position;
  // Never read on this device: the server's position.
  if (here === null) return { start: there, question: null };
  if (here === there || stored.device === null || stored.device === device) {
    return { start: address ?? (own && own.at >= stored.at ? own.position : there), question: null };
  }
  const later = !own || stored.at > own.at;
  if (address === null && later && there > here) return { start: there, question: { kind: 'moved', to: here, at: stored.at } };
  if (there > here) return { start: here, question: { kind: 'further', to: there, at: stored.at } };
  return { start: here, question: later ? { kind: 'elsewhere', to: there, at: stored.at } : null };
}

/** The question to ask when the server reports a position while the book is open. `since`: this device's last position, in ms. */
export function questionFor({ stored, index, since, device }: { stored: StoredPlace; index: number; since: number; device: string }): Question | null {
  if (stored.device === null || stored.device === device || stored.at <= since || stored.position === index) return null;
  return { kind: stored.position > index ? 'further' : 'elsewhere', to: stored.position, at: stored.at };
}
