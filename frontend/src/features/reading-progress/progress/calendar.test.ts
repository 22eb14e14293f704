import { describe, expect, it } from 'vitest';
import { dayName, fullness, lastDays, monthsOf, weeksOf } from '@/features/reading-progress/progress/calendar';

/** A Wednesday. */
const TODAY = '2026-06-17';
const days = [
  { day: '2026-05-31', completions: 1 },
  { day: '2026-06-15', completions: 4 },
  { day: '2026-06-17', completions: 2 },
];

describe('the calendar', () => {
  it('has 371 days in weeks that begin on Sunday, and none after today', () => {
    const weeks = weeksOf(TODAY, days);
    const squares = weeks.flatMap((week) => week.squares);
    expect(weeks.every((week) => week.squares.length === 7)).toBe(true);
    expect(squares.filter((square) => square !== null)).toHaveLength(371);
    expect(weeks.at(-1)?.squares.map((square) => square?.day ?? null)).toEqual(['2026-06-14', '2026-06-15', '2026-06-16', '2026-06-17', null, null, null]);
    expect(squares.find((square) => square !== null)?.day).toBe('2025-06-12');
  });

  it('knows what was read on a day, and which one is today', () => {
    const squares = weeksOf(TODAY, days).flatMap((week) => week.squares);
    expect(squares.filter((square) => square?.completions).map((square) => [square?.day, square?.completions])).toEqual(
      days.map(({ day, completions }) => [day, completions]),
    );
    expect(squares.filter((square) => square?.today).map((square) => square?.day)).toEqual([TODAY]);
  });

  it('names each month once, where it begins', () => {
    const months = weeksOf(TODAY, [])
      .map((week) => week.month)
      .filter((month) => month !== null);
    expect(months).toEqual(['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun']);
  });

  it('goes over a leap day and a change of the clocks without losing a day', () => {
    const squares = weeksOf('2028-04-02', [])
      .flatMap((week) => week.squares)
      .flatMap((square) => (square ? [square.day] : []));
    expect(new Set(squares).size).toBe(371);
    expect(squares).toContain('2028-02-29');
  });
});

describe('the last days', () => {
  it('end with today', () => {
    expect(lastDays(TODAY, days, 3)).toEqual([
      { day: '2026-06-15', completions: 4, today: false },
      { day: '2026-06-16', completions: 0, today: false },
      { day: '2026-06-17', completions: 2, today: true },
    ]);
  });
});

describe('in words', () => {
  it('are sums of months, latest first', () => {
    expect(monthsOf(days)).toEqual([
      { month: 'June 2026', days: 2, completions: 6 },
      { month: 'May 2026', days: 1, completions: 1 },
    ]);
  });

  it('is a day by its name', () => {
    expect(dayName('2026-06-15')).toBe('Monday, June 15');
  });
});

it('fills a square in three steps', () => {
  expect([0, 1, 2, 3, 12].map(fullness)).toEqual([0, 1, 2, 3, 3]);
});
