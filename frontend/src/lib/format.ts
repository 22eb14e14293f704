import { onFirstUse } from '@/lib/onFirstUse';

const number = onFirstUse(() => new Intl.NumberFormat('en-US'));
const moment = onFirstUse(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }));
const day = onFirstUse(() => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', year: 'numeric' }));

/** 12345 → '12,345' */
export const formatNumber = (n: number) => (Number.isInteger(n) && Math.abs(n) < 1000 ? String(n) : number().format(n));

/** Cents of US dollars → '$59.99' */
export function formatMoney(cents: number): string {
  const all = Math.abs(Math.round(cents));
  return `${all > 0 && cents < 0 ? '-' : ''}$${formatNumber(Math.floor(all / 100))}.${String(all % 100).padStart(2, '0')}`;
}

/** A time in milliseconds since the epoch → 'March 14, 2026', in the viewer's time zone. */
export const formatDay = (ms: number) => day().format(ms);

const date = onFirstUse(() => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }));

/** A date without a time zone (of a post, for example), given as midnight UTC → 'March 14, 2026'. */
export const formatDate = (ms: number) => date().format(ms);

/** A date given as midnight UTC, in machine-readable form → '2026-03-14'. */
export const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A time in milliseconds since the epoch → 'Mar 14, 2026, 9:30 AM', in the viewer's time zone. */
export const formatMoment = (ms: number) => moment().format(ms);

/** Seconds → 'm:ss'; anything that is not a number → '0:00' (site.documented-numbers). */
export function formatClock(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '0:00';
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** plural(1, 'book') → '1 book'; plural(3, 'book') → '3 books' */
export const plural = (n: number, one: string, many = `${one}s`) => `${formatNumber(n)} ${n === 1 ? one : many}`;

/** A position in words → 'Key idea 5 of 9' */
export const ideaOf = (at: number, ideas: number) => `Key idea ${at} of ${ideas}`;

/** The allowance of a member without a plan (reading-progress.free-summaries) → '2 free summaries left of 3' */
export const freeLeft = ({ left, total }: { left: number; total: number }) => `${plural(left, 'free summary', 'free summaries')} left of ${total}`;

/** How much of the remaining allowance a book uses → 'uses 1 of 2 free' */
export const usesFree = ({ left }: { left: number }) => `uses 1 of ${left} free`;

const UNITS = ['MB', 'GB', 'TB'] as const;

/** A file size in decimal units → '840 kB', '6.2 MB', '41.0 GB' */
export function formatBytes(bytes: number): string {
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  let size = bytes / 1_000_000;
  let unit = 0;
  // A size that would be rounded to '1000.0' is one of the next unit.
  while (size >= 999.95 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

/** A waiting time in the server's wording → '42 seconds', '3 minutes', '2 hours' */
export function formatWait(seconds: number): string {
  if (seconds < 90) return plural(seconds, 'second');
  return seconds < 90 * 60 ? plural(Math.ceil(seconds / 60), 'minute') : plural(Math.ceil(seconds / 3600), 'hour');
}

export const ownNameOf = (user: { firstName: string; lastName: string }): string => `${user.firstName} ${user.lastName}`.trim();
