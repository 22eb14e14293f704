import { describe, expect, it } from 'vitest';
import { IDLE, TICK, emptyTime, timeToCount, unsentDays, unsentSeconds, withSent, withTime } from '@/shared/readingTime/countedTime';
import type { PageUse } from '@/shared/readingTime/countedTime';

const NOW = 1_795_824_000_000;

const use = (more: Partial<PageUse> = {}): PageUse => ({ now: NOW, isTextShown: true, usedAt: NOW, isPlaying: false, ...more });

describe('what counts', () => {
  it('is a text that is shown and was used lately', () => {
    expect(timeToCount(NOW - TICK, 0, use())).toBe(TICK);
    expect(timeToCount(NOW - TICK, 0, use({ usedAt: NOW - IDLE }))).toBe(TICK);
    expect(timeToCount(NOW - TICK, 0, use({ usedAt: NOW - IDLE - 1 }))).toBe(0);
    expect(timeToCount(NOW - TICK, 0, use({ isTextShown: false }))).toBe(0);
  });

  it('is what plays, shown and used or not', () => {
    expect(timeToCount(NOW - TICK, 0, use({ isTextShown: false, usedAt: 0, isPlaying: true }))).toBe(TICK);
  });

  it('is not the time that a machine slept, and none when the clock was set back', () => {
    expect(timeToCount(NOW - 8 * 3_600_000, 0, use())).toBe(2 * TICK);
    expect(timeToCount(NOW + 60_000, 0, use())).toBe(0);
    expect(timeToCount(NOW - TICK, NOW + 60_000, use())).toBe(0);
  });

  it('is no time that another tab has counted', () => {
    expect(timeToCount(NOW - TICK, NOW - 2_000, use())).toBe(2_000);
  });

  it('is never more than the time that has passed, in any number of tabs', () => {
    // Two tabs whose ticks fall between each other's.
    let until = 0;
    let counted = 0;
    const before = [NOW, NOW + 1_700];
    for (let now = NOW; now <= NOW + 60_000; now += 100) {
      for (const [tab, start] of [NOW, NOW + 1_700].entries()) {
        if (now <= start || (now - start) % TICK !== 0) continue;
        counted += timeToCount(before[tab] ?? now, until, use({ now, usedAt: now }));
        until = Math.max(until, now);
        before[tab] = now;
      }
    }
    expect(counted).toBeLessThanOrEqual(60_000);
    expect(counted).toBeGreaterThan(55_000);
  });
});

describe('the time of a device', () => {
  it('adds up by day, keeps a month and knows what the server lacks', () => {
    let time = withTime(emptyTime(7), '2026-11-27', 65_900, NOW - 9, '2026-10-28');
    time = withTime(time, '2026-11-28', 61_000, NOW, '2026-10-29');
    time = withTime(time, '2026-11-28', 59_500, NOW - 5, '2026-10-29');
    expect(time.days).toEqual({ '2026-11-27': 65_900, '2026-11-28': 120_500 });
    expect(time.until).toBe(NOW);
    const all = [
      { day: '2026-11-27', seconds: 65 },
      { day: '2026-11-28', seconds: 120 },
    ];
    expect(unsentDays(time)).toEqual(all);
    expect(unsentSeconds(time, '2026-11-28')).toBe(120);
    const sent = withSent(time, all);
    expect(unsentDays(sent)).toEqual([]);
    expect(unsentSeconds(sent, '2026-11-28')).toBe(0);
    // An answer that comes late takes nothing back.
    expect(withSent(sent, [{ day: '2026-11-28', seconds: 60 }])).toEqual(sent);
    expect(unsentDays(withTime(sent, '2026-11-28', 1_000, NOW + 1, '2026-11-28'))).toEqual([{ day: '2026-11-28', seconds: 121 }]);
    expect(withTime(sent, '2026-12-28', 1_000, NOW + 1, '2026-11-28').days).toEqual({ '2026-11-28': 120_500, '2026-12-28': 1_000 });
    expect(unsentSeconds(null, '2026-11-28')).toBe(0);
  });
});
