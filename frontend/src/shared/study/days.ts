// Days of the member's calendar, as YYYY-MM-DD: text order is the order of time.
import { formatDate } from '@/lib/format';

const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The time zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat('en-CA', { ...options, timeZone: zone });
  } catch {
    // The server knows a zone that this browser does not.
    made = new Intl.DateTimeFormat('en-CA', options);
  }
  formats.set(zone, made);
  return made;
}

/** The day of a moment (ms) in a time zone. */
export function dayOf(at: number, zone: string): string {
  const parts = formatFor(zone).formatToParts(at);
  const part = (type: 'year' | 'month' | 'day') => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export const addDays = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** '2026-03-14' → 'March 14, 2026' */
export const formatDayName = (day: string): string => formatDate(Date.parse(day));
