/** All time zones that this browser knows, and UTC, which most browsers omit from their list. */
export const timeZones = (): string[] => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort();

/** The device's time zone. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** 'America/New_York' → 'America / New York' */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ').replaceAll('/', ' / ');

/** Normalized for comparison: lower-case letters and digits only. */
const bare = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}+-]/gu, '');

/**
 * The zone for a typed zone name, or for a city name that only one zone has; ignores case and separators ('new york').
 * Null when there is none.
 */
export function findZone(typed: string): string | null {
  const wanted = bare(typed);
  if (wanted === '') return null;
  const zones = timeZones();
  const whole = zones.find((zone) => bare(zone) === wanted);
  if (whole !== undefined) return whole;
  const ofCity = zones.filter((zone) => bare(zone.slice(zone.lastIndexOf('/') + 1)) === wanted);
  if (ofCity.length === 1) return ofCity[0] ?? null;
  // Browsers accept more names than they list ('Asia/Calcutta').
  const name = typed.trim();
  return timeIn(name, 0) === '' ? null : name;
}

/** The time of day in a zone, '2:05 PM'; '' for a zone that this browser doesn't know. */
export function timeIn(zone: string, now: number): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' }).format(now);
  } catch {
    return '';
  }
}
