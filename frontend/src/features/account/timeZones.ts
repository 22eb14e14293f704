/** Every time zone that this browser knows, with UTC, which most leave out of their list. */
export const timeZones = (): string[] => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort();

/** The zone that this device is set to. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** 'America/New_York' → 'America / New York' */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ').replaceAll('/', ' / ');

/** The time of day in a zone, '2:05 PM'; '' for a zone that this browser doesn't know. */
export function timeIn(zone: string, now: number): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' }).format(now);
  } catch {
    return '';
  }
}
