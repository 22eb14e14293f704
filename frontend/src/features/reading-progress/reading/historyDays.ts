// Groups the history by day, in the device's time zone.
import { formatDay } from '@/lib/format';

/** The start of the local day that contains a time, in ms. */
const dayOf = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

/** 'Today', 'Yesterday', or the date. */
function nameOf(day: number, now: number): string {
  const today = dayOf(now);
  if (day === today) return 'Today';
  // The last hour of the previous day; subtracting 24 hours would fail on days with 23 or 25 hours.
  if (day === dayOf(today - 3_600_000)) return 'Yesterday';
  return formatDay(day);
}

/** Entries, newest first, grouped by the local day on which they were read. */
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
