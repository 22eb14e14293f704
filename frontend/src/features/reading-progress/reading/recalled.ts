// What is recalled to a member who comes back to a book: pure functions.
import type { Highlight } from '@/shared/study/records';

const DAY = 24 * 60 * 60 * 1000;

/** The units of a long time, the longest first, in days. */
const UNITS = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
] as const;

/** A time that is long ago → '1 week ago', '3 weeks ago', '2 months ago', '1 year ago'. */
export function longAgo(ms: number, now: number): string {
  const days = Math.max(1, Math.floor((now - ms) / DAY));
  // From two months on in months: weeks are the finer measure before.
  const [unit, length] = UNITS.find(([name, length]) => days >= (name === 'month' ? 2 * length : length)) ?? UNITS[3];
  return new Intl.RelativeTimeFormat('en-US').format(-Math.floor(days / length), unit);
}

/** The most highlights that are recalled. */
const MOST_HIGHLIGHTS = 3;

/** Where a highlight of the full text is; null: nowhere. */
function placeOf({ part, place, anchor }: Highlight): { section: number; start: number } | null {
  if (part !== 'text' || place?.state === 'gone') return null;
  const at = place ?? anchor;
  return at && at.section !== null ? { section: at.section, start: at.start } : null;
}

/** The last of a member's highlights up to a section, in the order of the text. */
export function recalledHighlights(all: readonly Highlight[], section: number): Highlight[] {
  const placed = all.flatMap((highlight) => {
    const at = placeOf(highlight);
    return at !== null && at.section <= section ? [{ highlight, at }] : [];
  });
  placed.sort((one, other) => one.at.section - other.at.section || one.at.start - other.at.start);
  return placed.slice(-MOST_HIGHLIGHTS).map(({ highlight }) => highlight);
}
