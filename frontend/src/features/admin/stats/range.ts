// The date range of the statistics, in the URL, and the previous period of the same length. Days are UTC, as on the server.
import { isoDate } from '@/lib/format';
import { onFirstUse } from '@/lib/onFirstUse';

const DAY = 86_400_000;

export const PRESETS = [
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'Year' },
] as const;
export type Preset = (typeof PRESETS)[number]['value'];

const DEFAULT: Preset = '28';
/** The longest range that the server accepts, in days. */
export const MAX_DAYS = 1096;

/** First and last day as 'yyyy-mm-dd', both included. */
export interface Range {
  from: string;
  to: string;
  /** Null: two chosen days. */
  preset: Preset | null;
}

const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The day `days` days later. */
export const plusDays = (day: string, days: number): string => isoDate(Date.parse(day) + days * DAY);

/** The number of days in a range, both ends included. */
export const daysOf = ({ from, to }: Pick<Range, 'from' | 'to'>): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

/** The range in the URL; an invalid one becomes the last 28 days. */
export function rangeOf(search: URLSearchParams, now: number): Range {
  const today = isoDate(now);
  const from = search.get('from');
  const to = search.get('to');
  if (isDay(from) && isDay(to) && from <= to && daysOf({ from, to }) <= MAX_DAYS) return { from, to: to > today && from <= today ? today : to, preset: null };
  const preset = PRESETS.find(({ value }) => value === search.get('days'))?.value ?? DEFAULT;
  return { from: plusDays(today, 1 - Number(preset)), to: today, preset };
}

/** The query parameters of a preset; the default has none. */
export const presetQuery = (preset: Preset): Record<string, string> => (preset === DEFAULT ? {} : { days: preset });

/** The range of the same length just before. */
export function periodBefore({ from, to }: Pick<Range, 'from' | 'to'>): { from: string; to: string } {
  const days = daysOf({ from, to });
  return { from: plusDays(from, -days), to: plusDays(from, -1) };
}

const short = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }));
const long = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }));

/** '2026-03-14' → 'Mar 14', with the year if `withYear`. */
export const dayLabel = (day: string, withYear = false): string => (withYear ? long : short)().format(Date.parse(day));

/** 'Feb 15 – Mar 14, 2026' */
export const rangeText = ({ from, to }: Pick<Range, 'from' | 'to'>): string => long().formatRange(Date.parse(from), Date.parse(to));

/** A change in percent: '+12%', '−3%'; null when there is nothing to compare with. */
export function changeText(now: number, before: number | null): string | null {
  if (before === null || before === 0) return null;
  const share = Math.round(((now - before) / Math.abs(before)) * 100);
  return share === 0 ? 'unchanged' : `${share > 0 ? '+' : '−'}${Math.abs(share).toLocaleString('en-US')}%`;
}
