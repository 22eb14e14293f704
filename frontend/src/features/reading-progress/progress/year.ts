// What the page of a year shows, from the server's figures.
import type { ResultOf } from '@/api/types';
import { plural } from '@/lib/format';
import { onFirstUse } from '@/lib/onFirstUse';
import { dayOf } from '@/shared/study/days';

export type YearOfReading = ResultOf<'GET /api/user/years/{year}'>;

/** A number with its unit. */
interface Amount {
  number: number;
  unit: string;
}

export interface YearFigure {
  id: 'time' | 'summaries' | 'days' | 'streak' | 'highlights' | 'answers';
  /** One amount, or hours and minutes. */
  amounts: Amount[];
  /** What follows the amounts: '41 hours 12 minutes' of 'reading and listening'. */
  label: string;
}

/** Whole minutes → hours and minutes, without those that are 0; '0 minutes' when both are. */
function timeAmounts(minutes: number): Amount[] {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const amounts: Amount[] = [];
  if (hours > 0) amounts.push({ number: hours, unit: hours === 1 ? 'hour' : 'hours' });
  if (rest > 0 || hours === 0) amounts.push({ number: rest, unit: rest === 1 ? 'minute' : 'minutes' });
  return amounts;
}

/** 132 → '2 hours 12 minutes' */
export const timeText = (minutes: number): string =>
  timeAmounts(minutes)
    .map(({ number, unit }) => plural(number, unit, unit))
    .join(' ');

/** 132 → '2h 12m' */
export const shortTime = (minutes: number): string =>
  timeAmounts(minutes)
    .map(({ number, unit }) => `${number}${unit.charAt(0)}`)
    .join(' ');

/** The figures that are not 0. A streak of one day is no more than a day of reading. */
export function figuresOf({ minutes, summaries, readingDays, bestStreak, highlights, answers }: YearOfReading): YearFigure[] {
  const counted = (id: YearFigure['id'], number: number, label: string, many: string): YearFigure => ({
    id,
    amounts: number > 0 ? [{ number, unit: '' }] : [],
    label: number === 1 ? label : many,
  });
  return [
    { id: 'time' as const, amounts: minutes ? timeAmounts(minutes) : [], label: 'reading and listening' },
    counted('summaries', summaries, 'summary completed', 'summaries completed'),
    counted('days', readingDays, 'day of reading', 'days of reading'),
    counted('streak', bestStreak > 1 ? bestStreak : 0, '', 'days in a row, your longest streak'),
    counted('highlights', highlights, 'highlight', 'highlights'),
    counted('answers', answers, 'card reviewed', 'cards reviewed'),
  ].filter(({ amounts }) => amounts.length > 0);
}

/** A figure in one line. */
export const figureText = ({ amounts, label }: YearFigure): string =>
  [...amounts.map(({ number, unit }) => plural(number, unit, unit).trim()), label].join(' ');

/** What the bars of the months can show. */
export type ChartUnit = 'minutes' | 'summaries';

/**
 * The units that have anything to show, first the one to begin with: minutes, unless summaries stand in more months. Time may be
 * counted for a part of the year only.
 */
export function chartUnits(months: YearOfReading['months']): ChartUnit[] {
  const count = (unit: ChartUnit) => months.filter((month) => month[unit] > 0).length;
  const [minutes, summaries] = [count('minutes'), count('summaries')];
  const units: ChartUnit[] = summaries > minutes ? ['summaries', 'minutes'] : ['minutes', 'summaries'];
  return units.filter((unit) => (unit === 'minutes' ? minutes : summaries) > 0);
}

const long = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }));

/** 1 → 'January' */
export const monthName = (month: number): string => long().format(Date.UTC(2026, month - 1));

export interface MonthOfBooks {
  /** In the format 2026-06. */
  id: string;
  name: string;
  books: YearOfReading['books'];
}

/** The completed summaries by month of the member's calendar, in their order. */
export function booksByMonth(books: YearOfReading['books'], zone: string): MonthOfBooks[] {
  const months: MonthOfBooks[] = [];
  for (const book of books) {
    const id = dayOf(book.completedAt, zone).slice(0, 7);
    const last = months.at(-1);
    if (last?.id === id) last.books.push(book);
    else months.push({ id, name: monthName(Number(id.slice(5))), books: [book] });
  }
  return months;
}
