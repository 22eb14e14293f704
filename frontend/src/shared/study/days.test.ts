import { describe, expect, it } from 'vitest';
import { addDays, dayOf, formatDayName } from '@/shared/study/days';

describe('a day of the calendar', () => {
  it('is that of the time zone', () => {
    const at = Date.UTC(2026, 10, 28, 23, 30);
    expect(dayOf(at, 'UTC')).toBe('2026-11-28');
    expect(dayOf(at, 'Europe/Berlin')).toBe('2026-11-29');
    expect(dayOf(at, 'America/Los_Angeles')).toBe('2026-11-28');
  });

  it('of a zone that the browser does not know is that of the device', () => {
    expect(dayOf(Date.UTC(2026, 10, 28, 12), 'Mars/Olympus')).toBe('2026-11-28');
  });

  it('has days before and after it', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(formatDayName('2026-12-01')).toBe('December 1, 2026');
  });
});
