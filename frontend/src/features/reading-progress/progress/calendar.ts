// The days of reading as a calendar: one column per week, Sunday first. Days are in the member's time zone, as the
// server returns them; they are computed with in UTC, so that this device's time zone has no effect.
import { onFirstUse } from '@/lib/onFirstUse';

const DAY = 24 * 60 * 60 * 1000;
/** The number of days in the calendar, including today: 53 weeks, as in the server's response. */
const DAYS = 53 * 7;

export interface ReadingDay {
  /** In the format 2026-06-15. */
  day: string;
  /** How many summaries were completed. */
  completions: number;
}

/** A day's square; null outside the calendar (before its first day, after today). */
export type Square = (ReadingDay & { today: boolean; isPaused: boolean }) | null;

export interface Week {
  /** The name of the month that begins in this week, or null. */
  month: string | null;
  squares: Square[];
}

const short = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }));
const long = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }));
const full = onFirstUse(() => new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' }));

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** 'Monday, June 15' */
export const dayName = (day: string): string => full().format(timeOf(day));

/** All weeks up to today. */
export function weeksOf(today: string, days: readonly ReadingDay[], pausedDays: readonly string[] = []): Week[] {
  const paused = new Set(pausedDays);
  const read = new Map(days.map(({ day, completions }) => [day, completions]));
  const last = timeOf(today);
  const first = last - (DAYS - 1) * DAY;
  const weeks: Week[] = [];
  for (let sunday = first - new Date(first).getUTCDay() * DAY; sunday <= last; sunday += 7 * DAY) {
    const times = Array.from({ length: 7 }, (_, i) => sunday + i * DAY);
    const begins = times.find((time) => new Date(time).getUTCDate() === 1 && time <= last);
    weeks.push({
      month: begins === undefined ? null : short().format(begins),
      squares: times.map((time) => {
        if (time < first || time > last) return null;
        const day = textOf(time);
        return { day, completions: read.get(day) ?? 0, today: time === last, isPaused: paused.has(day) };
      }),
    });
  }
  return weeks;
}

/** The last `count` days, oldest first. */
export function lastDays(today: string, days: readonly ReadingDay[], count: number): (ReadingDay & { today: boolean })[] {
  const read = new Map(days.map(({ day, completions }) => [day, completions]));
  const last = timeOf(today);
  return Array.from({ length: count }, (_, i) => {
    const day = textOf(last - (count - 1 - i) * DAY);
    return { day, completions: read.get(day) ?? 0, today: i === count - 1 };
  });
}

/** How strongly a square is filled, 0 to 3. */
export const fullness = (completions: number): 0 | 1 | 2 | 3 => (completions >= 3 ? 3 : completions === 2 ? 2 : completions === 1 ? 1 : 0);

/** The months with completions, latest first: the text alternative of the calendar. */
export function monthsOf(days: readonly ReadingDay[]): { month: string; days: number; completions: number }[] {
  const months = new Map<string, { month: string; days: number; completions: number }>();
  for (const { day, completions } of [...days].reverse()) {
    const month = long().format(timeOf(day));
    const sum = months.get(month) ?? { month, days: 0, completions: 0 };
    months.set(month, { month, days: sum.days + 1, completions: sum.completions + completions });
  }
  return [...months.values()];
}
