import { describe, expect, it } from 'vitest';
import { timeZones, zoneCalled, zoneName } from '@/features/account/timeZones';

describe('a time zone', () => {
  it('is found by every name that is listed or shown', () => {
    for (const zone of timeZones()) {
      expect(zoneCalled(zone)).toBe(zone);
      expect(zoneCalled(` ${zoneName(zone).toLowerCase()}`)).toBe(zone);
    }
  });

  it.each([
    ['berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['new_york', 'America/New_York'],
    ['Buenos Aires', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
  ])('is known by its city: %s', (typed, zone) => {
    expect([zone, zone.replace('Argentina/', '')]).toContain(zoneCalled(typed));
  });

  it.each(['', '  ', '/', 'Mars/Olympus', 'Europe'])('is none: "%s"', (typed) => {
    expect(zoneCalled(typed)).toBeNull();
  });
});
