import { expect, it } from 'vitest';
import { formatAgo } from '@/lib/ago';

const NOW = Date.UTC(2026, 10, 21, 12);
const minutes = (n: number) => NOW - n * 60_000;

it.each([
  [NOW + 5_000, 'just now'],
  [minutes(0.9), 'just now'],
  [minutes(1), '1 minute ago'],
  [minutes(59), '59 minutes ago'],
  [minutes(60), '1 hour ago'],
  [minutes(24 * 60), 'yesterday'],
  [minutes(6 * 24 * 60), '6 days ago'],
  [minutes(8 * 24 * 60), 'November 13, 2026'],
])('%s is %s', (ms, text) => {
  expect(formatAgo(ms, NOW)).toBe(text);
});
