import { describe, expect, it } from 'vitest';
import { changeText, daysOf, periodBefore, plusDays, rangeOf } from '@/features/admin/stats/range';

const now = Date.parse('2026-03-14T15:00:00Z');
const of = (query: string) => rangeOf(new URLSearchParams(query), now);

describe('the days of the stats', () => {
  it('are the last 28 unless the URL says otherwise, today included', () => {
    expect(of('')).toEqual({ from: '2026-02-15', to: '2026-03-14', preset: '28' });
    expect(daysOf(of(''))).toBe(28);
    expect(of('days=7')).toEqual({ from: '2026-03-08', to: '2026-03-14', preset: '7' });
    expect(of('from=2025-12-30&to=2026-01-02')).toEqual({ from: '2025-12-30', to: '2026-01-02', preset: null });
  });

  it.each(['from=2026-03-02&to=2026-03-01', 'from=x&to=2026-03-01', 'from=2026-03-01', 'from=1990-01-01&to=2026-03-01', 'days=8'])(
    'are the last 28 with %s',
    (query) => {
      expect(of(query).preset).toBe('28');
    },
  );

  it('end today at the latest', () => {
    expect(of('from=2026-03-01&to=2026-05-01').to).toBe('2026-03-14');
  });

  it('are compared with as many days just before', () => {
    expect(periodBefore({ from: '2026-03-08', to: '2026-03-14' })).toEqual({ from: '2026-03-01', to: '2026-03-07' });
    expect(periodBefore({ from: '2026-03-01', to: '2026-03-01' })).toEqual({ from: '2026-02-28', to: '2026-02-28' });
    expect(plusDays('2024-02-28', 1)).toBe('2024-02-29');
  });
});

describe('a change', () => {
  it('is a share of what was before', () => {
    expect(changeText(112, 100)).toBe('+12%');
    expect(changeText(97, 100)).toBe('−3%');
    expect(changeText(100, 100)).toBe('unchanged');
    expect(changeText(25_000, 10)).toBe('+249,900%');
  });

  it('is not told where there was nothing', () => {
    expect(changeText(5, 0)).toBeNull();
    expect(changeText(5, null)).toBeNull();
  });
});
