// One book on several devices: where reading begins, and what the reader asks. Pure rules: a member is never moved
// backwards without being asked. Places count from 0, times are the server's, in ms.
import type { KnownPlace } from '@/shared/positions/places';
import { placeInAddress } from '@/shared/reader/position';

/** A place that the server has stored. */
export interface StoredPlace extends KnownPlace {
  /** The device that saved it; null when it is unknown. */
  device: string | null;
}

/** The question about another device. */
export interface Question {
  /** further, elsewhere: only the other device is there. moved: this one has followed it. */
  kind: 'further' | 'elsewhere' | 'moved';
  /** Where the answer leads: the other device's place, or back to this one's. */
  to: number;
  /** When the other device was there: the same question is not asked twice. */
  at: number;
}

interface Opening {
  search: string;
  total: number;
  /** The server's place; null when it has none. */
  stored: StoredPlace | null;
  /** What this device remembers; null when the book was never read on it. */
  known: KnownPlace | null;
  device: string;
  /** The last section with text, of a book that is finished; null for any other. */
  end: number | null;
}

const valid = (position: number | undefined, total: number): position is number =>
  position !== undefined && Number.isInteger(position) && position >= 0 && position < total;

interface OpeningPlace {
  start: number;
  question: Question | null;
}

/** The paragraph to open at: the latest that is known of the section that opens; null: the section's beginning. */
export function paragraphAt(start: number, stored: StoredPlace | null, known: KnownPlace | null): number | null {
  const there = [stored, known].filter((place) => place?.position === start);
  return there.toSorted((a, b) => (b?.at ?? 0) - (a?.at ?? 0))[0]?.paragraph ?? null;
}

/**
 * Where reading begins, the question to ask, and whether the book is read again: one that is finished and was left at
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
  // Never read on this device: the server's place.
  if (here === null) return { start: there, question: null };
  if (here === there || stored.device === null || stored.device === device) {
    return { start: address ?? (own && own.at >= stored.at ? own.position : there), question: null };
  }
  const later = !own || stored.at > own.at;
  if (address === null && later && there > here) return { start: there, question: { kind: 'moved', to: here, at: stored.at } };
  if (there > here) return { start: here, question: { kind: 'further', to: there, at: stored.at } };
  return { start: here, question: later ? { kind: 'elsewhere', to: there, at: stored.at } : null };
}

/** The question after a response of the server while the book is open. `since`: this device's last place, in ms. */
export function questionFor({ stored, index, since, device }: { stored: StoredPlace; index: number; since: number; device: string }): Question | null {
  if (stored.device === null || stored.device === device || stored.at <= since || stored.position === index) return null;
  return { kind: stored.position > index ? 'further' : 'elsewhere', to: stored.position, at: stored.at };
}
