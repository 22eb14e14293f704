import { describe, expect, it } from 'vitest';
import { nextMonth } from '@/lib/nextMonth';

describe('the next month', () => {
  const evening = Date.UTC(2026, 10, 30, 20);

  it('begins by the member’s own calendar', () => {
    expect(nextMonth('UTC', evening)).toBe('December 1');
    expect(nextMonth('Asia/Tokyo', evening)).toBe('January 1');
    expect(nextMonth('America/Lima', Date.UTC(2026, 11, 1, 2))).toBe('December 1');
  });

  it('uses UTC for an unknown zone', () => {
    expect(nextMonth('Nowhere/At all', evening)).toBe('December 1');
  });
});
