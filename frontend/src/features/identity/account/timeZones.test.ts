import { describe, expect, it } from 'vitest';
import { timeZones, findZone, zoneName } from '@/features/identity/account/timeZones';

describe('a time zone', () => {
  it('is found by every name that is listed or shown', () => {
    for (const zone of timeZones()) {
      expect(findZone(zone)).toBe(zone);
      expect(findZone(` ${zoneName(zone).toLowerCase()}`)).toBe(zone);
    }
  });

  it.each([
    ['berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['new_york', 'America/New_York'],
    ['Buenos Aires', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
  ])('is known by its city: %s', (typed, zone) => {
    expect([zone, zone.replace('Argentina/', '')]).toContain(findZone(typed));
  });

  it.each(['', '  ', '/', 'Mars/Olympus', 'Europe'])('is none: "%s"', (typed) => {
    expect(findZone(typed)).toBeNull();
  });
});
