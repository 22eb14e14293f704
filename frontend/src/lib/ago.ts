import { formatDay } from '@/lib/format';
import { onFirstUse } from '@/lib/onFirstUse';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = onFirstUse(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }));

/** A past time → 'just now', '5 minutes ago', '3 hours ago', 'yesterday'; the date from a week on. */
export function formatAgo(ms: number, now: number): string {
  const past = Math.max(0, now - ms);
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return relative().format(-Math.floor(past / MINUTE), 'minute');
  if (past < DAY) return relative().format(-Math.floor(past / HOUR), 'hour');
  if (past < 7 * DAY) return relative().format(-Math.floor(past / DAY), 'day');
  return formatDay(ms);
}
