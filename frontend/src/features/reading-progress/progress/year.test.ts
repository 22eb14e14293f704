import { describe, expect, it } from 'vitest';
import { booksByMonth, chartUnits, figureText, figuresOf, shortTime, timeText } from '@/features/reading-progress/progress/year';
import { sampleYear } from '@test/year';
import { sampleBook } from '@test/samples';

describe('time in words', () => {
  it.each([
    [0, '0 minutes', '0m'],
    [1, '1 minute', '1m'],
    [59, '59 minutes', '59m'],
    [60, '1 hour', '1h'],
    [61, '1 hour 1 minute', '1h 1m'],
    [2472, '41 hours 12 minutes', '41h 12m'],
    [60_120, '1,002 hours', '1002h'],
  ])('%i minutes are %s', (minutes, text, short) => {
    expect(timeText(minutes)).toBe(text);
    expect(shortTime(minutes)).toBe(short);
  });
});

describe('the figures of a year', () => {
  it('are in the singular where there is one, and leave out what is 0', () => {
    const year = sampleYear({ minutes: 61, summaries: 1, readingDays: 1, bestStreak: 0, highlights: 1, answers: 1 });
    expect(figuresOf(year).map(figureText)).toEqual([
      '1 hour 1 minute reading and listening',
      '1 summary completed',
      '1 day of reading',
      '1 highlight',
      '1 card reviewed',
    ]);
    expect(figuresOf(sampleYear({ minutes: null, summaries: 0, readingDays: 0, bestStreak: 0, highlights: 0, answers: 0 }))).toEqual([]);
  });

  it('have separators between thousands, and no streak of one day', () => {
    const year = sampleYear({ minutes: null, summaries: 1234, readingDays: 0, bestStreak: 1, highlights: 0, answers: 0 });
    expect(figuresOf(year).map(figureText)).toEqual(['1,234 summaries completed']);
    expect(figuresOf({ ...year, bestStreak: 2 }).map(figureText)).toContain('2 days in a row, your longest streak');
  });
});

describe('the unit of the bars', () => {
  const months = (...figures: [minutes: number, summaries: number][]) => figures.map(([minutes, summaries], i) => ({ month: i + 1, minutes, summaries }));

  it('is the time, unless it was counted in fewer months than summaries were completed', () => {
    expect(chartUnits(months([5, 1], [0, 0]))).toEqual(['minutes', 'summaries']);
    expect(chartUnits(months([0, 1], [5, 1]))).toEqual(['summaries', 'minutes']);
  });

  it('is only one that has anything to show', () => {
    expect(chartUnits(months([5, 0], [0, 0]))).toEqual(['minutes']);
    expect(chartUnits(months([0, 0], [0, 3]))).toEqual(['summaries']);
    expect(chartUnits(months([0, 0]))).toEqual([]);
  });
});

describe('the books of a year', () => {
  it('stand in the month of the member’s calendar, in the order of their completion', () => {
    const book = (id: number, at: string) => ({ ...sampleBook(id), completedAt: Date.parse(at) });
    const books = [book(3, '2026-01-31T14:00:00Z'), book(1, '2026-01-31T16:00:00Z'), book(2, '2026-03-01T00:00:00Z')];
    const grouped = (zone: string) => booksByMonth(books, zone).map(({ name, books }) => [name, ...books.map(({ id }) => id)]);
    expect(grouped('UTC')).toEqual([
      ['January', 3, 1],
      ['March', 2],
    ]);
    expect(grouped('Asia/Tokyo')).toEqual([
      ['January', 3],
      ['February', 1],
      ['March', 2],
    ]);
  });
});
