import { describe, expect, it } from 'vitest';
import { IDLE, TICK, emptyTime, secondsOn, timeToCount, unsentDays, withSent, withTime } from '@/shared/readingTime/countedTime';
import type { PageUse } from '@/shared/readingTime/countedTime';
import { forAll } from '@test/random';

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

  it('is not the time that a machine slept', () => {
    expect(timeToCount(NOW - 8 * 3_600_000, 0, use())).toBe(2 * TICK);
  });

  it('is nothing at the tick at which the clock is set back, and goes on with the next', () => {
    expect(timeToCount(NOW + 3_600_000, NOW + 3_600_000, use())).toBe(0);
    expect(timeToCount(NOW - TICK, NOW + 3_600_000, use())).toBe(TICK);
    const ahead = withTime(emptyTime(7, 'browser'), '2026-11-28', TICK, NOW + 3_600_000, '2026-10-29');
    const setBack = withTime(ahead, '2026-11-28', TICK, NOW, '2026-10-29');
    expect([setBack.until, setBack.days['2026-11-28']]).toEqual([NOW, 2 * TICK]);
  });

  it('is no time that another tab has counted', () => {
    expect(timeToCount(NOW - TICK, NOW - 2_000, use())).toBe(2_000);
    expect(timeToCount(NOW - TICK, NOW + 1_000, use())).toBe(0);
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

it('counts no moment twice, and none at which no tab was read or played', () => {
  forAll(300, (random) => {
    const tabs = random.list(random.int(1, 3), () => ({ before: NOW, usedAt: NOW, isTextShown: random.chance(0.5), isPlaying: false }));
    let [now, until, counted] = [NOW, 0, 0];
    for (let step = 0; step < 100; step++) {
      // The ticks of several tabs, late now and then, and a machine that sleeps.
      now += random.chance(0.05) ? random.int(60_000, 8 * 3_600_000) : random.int(1, 2 * TICK);
      const tab = random.pick(tabs);
      if (random.chance(0.3)) tab.usedAt = now - random.int(0, 2 * IDLE);
      if (random.chance(0.2)) tab.isTextShown = !tab.isTextShown;
      if (random.chance(0.2)) tab.isPlaying = !tab.isPlaying;
      const ms = timeToCount(tab.before, until, { now, ...tab });
      const mayCount = tab.isPlaying || (tab.isTextShown && now - tab.usedAt <= IDLE);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(mayCount ? Math.min(now - tab.before, now - Math.max(until, NOW), 2 * TICK) : 0);
      if (ms > 0) until = now;
      counted += ms;
      tab.before = now;
    }
    expect(counted).toBeLessThanOrEqual(now - NOW);
  });
});

describe('the time of a device', () => {
  it('adds up by day, keeps a month and knows what the server lacks', () => {
    let time = withTime(emptyTime(7, 'browser'), '2026-11-27', 65_900, NOW - 9, '2026-10-28');
    time = withTime(time, '2026-11-28', 61_000, NOW, '2026-10-29');
    time = withTime(time, '2026-11-28', 59_500, NOW - 5, '2026-10-29');
    expect(time.days).toEqual({ '2026-11-27': 65_900, '2026-11-28': 120_500 });
    expect(time.until).toBe(NOW);
    const all = [
      { day: '2026-11-27', seconds: 65 },
      { day: '2026-11-28', seconds: 120 },
    ];
    expect(unsentDays(time)).toEqual(all);
    expect(secondsOn(time, '2026-11-28')).toBe(120);
    const sent = withSent(time, all);
    expect(unsentDays(sent)).toEqual([]);
    expect(secondsOn(sent, '2026-11-29')).toBe(0);
    // An answer that comes late takes nothing back.
    expect(withSent(sent, [{ day: '2026-11-28', seconds: 60 }])).toEqual(sent);
    expect(unsentDays(withTime(sent, '2026-11-28', 1_000, NOW + 1, '2026-11-28'))).toEqual([{ day: '2026-11-28', seconds: 121 }]);
    expect(withTime(sent, '2026-12-28', 1_000, NOW + 1, '2026-11-28').days).toEqual({ '2026-11-28': 120_500, '2026-12-28': 1_000 });
    expect(secondsOn(null, '2026-11-28')).toBe(0);
  });
});
