// A year of reading.
import type { YearOfReading } from '@/features/reading-progress/progress/year';
import { sampleBook } from '@test/samples';

export const sampleYear = (more: Partial<YearOfReading> = {}): YearOfReading => ({
  year: 2026,
  years: [2026, 2025],
  isOver: false,
  minutes: 132,
  summaries: 3,
  readingDays: 5,
  bestStreak: 4,
  highlights: 12,
  answers: 1400,
  months: Array.from({ length: 12 }, (_, i) => ({ month: i + 1, minutes: i === 0 ? 90 : i === 5 ? 42 : 0, summaries: i === 0 ? 2 : i === 5 ? 1 : 0 })),
  categories: [
    { id: 1, subid: 'philosophy', name: 'Philosophy', hue: 265, count: 2 },
    { id: 2, subid: 'science', name: 'Science', hue: 195, count: 1 },
  ],
  books: [
    { ...sampleBook(1, { title: 'Walden' }), completedAt: Date.parse('2026-01-05T12:00:00Z') },
    { ...sampleBook(2, { title: 'Meditations' }), completedAt: Date.parse('2026-01-20T12:00:00Z') },
    { ...sampleBook(3, { title: 'Essays', image: null }), completedAt: Date.parse('2026-06-15T12:00:00Z') },
  ],
  ...more,
});
