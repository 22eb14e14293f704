import { onFirstUse } from '@/lib/onFirstUse';

const name = onFirstUse(() => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' }));

/** The month (1 to 12) in a time zone; in UTC when the zone is unknown. */
function monthIn(timeZone: string, now: number): number {
  try {
    return Number(new Intl.DateTimeFormat('en-US', { month: 'numeric', timeZone }).format(now));
  } catch {
    return new Date(now).getUTCMonth() + 1;
  }
}

/** The first day of the next calendar month in the member's time zone, 'December 1', when the next free summary comes (reading-progress.monthly-summary). */
export const nextMonth = (timeZone: string, now: number): string => name().format(Date.UTC(2000, monthIn(timeZone, now), 1));
