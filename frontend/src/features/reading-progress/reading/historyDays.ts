// History by day, in the reader's own zone.
import { formatDay } from '@/lib/format';

/** The start of the day that a moment is in, here. */
const dayOf = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

/** 'Today', 'Yesterday', or the date. */
function nameOf(day: number, now: number): string {
  const today = dayOf(now);
  if (day === today) return 'Today';
  // The hour before today's first: a day may have 23 or 25 of them.
  if (day === dayOf(today - 3_600_000)) return 'Yesterday';
  return formatDay(day);
}

/** Entries, newest first, under the days on which they were read. */
export function byDay<E extends { at: number }>(entries: readonly E[], now: number): { day: string; entries: E[] }[] {
  const days: { day: string; entries: E[] }[] = [];
  for (const entry of entries) {
    const day = nameOf(dayOf(entry.at), now);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
