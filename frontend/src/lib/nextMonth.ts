import { onFirstUse } from '@/lib/onFirstUse';

const name = onFirstUse(() => new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' }));

/** The number of the month in a time zone, from 1; in UTC where the zone is unknown. */
function monthIn(timeZone: string, now: number): number {
  try {
    return Number(new Intl.DateTimeFormat('en-US', { month: 'numeric', timeZone }).format(now));
  } catch {
    return new Date(now).getUTCMonth() + 1;
  }
}

/** The day on which the next calendar month begins for a member, 'December 1': then one more summary is free (reading-progress.monthly-summary). */
export const nextMonth = (timeZone: string, now: number): string => name().format(Date.UTC(2000, monthIn(timeZone, now), 1));
