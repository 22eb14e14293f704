import { describe, expect, it } from 'vitest';
import { addMonths } from '@/lib/addMonths';

describe('months later', () => {
  it.each([
    ['2026-11-22T10:15:00Z', 1, '2026-12-22T10:15:00Z'],
    ['2026-11-30T00:00:00Z', 3, '2027-02-28T00:00:00Z'],
    ['2027-12-31T23:59:59Z', 2, '2028-02-29T23:59:59Z'],
    ['2026-01-31T12:00:00Z', 1, '2026-02-28T12:00:00Z'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(addMonths(Date.parse(from), months)).toBe(Date.parse(to));
  });
});
