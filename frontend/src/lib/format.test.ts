import { expect, it } from 'vitest';
import { formatBytes, formatClock, formatMoney, formatWait, plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';

it.each([
  [0, '0:00'],
  [9.9, '0:09'],
  [61, '1:01'],
  [3600, '60:00'],
  [Number.NaN, '0:00'],
  [Infinity, '0:00'],
])('%s seconds read %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});

it.each([
  [1, '1 second'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [3600, '60 minutes'],
  [5400, '2 hours'],
])('%s seconds to wait are %s', (seconds, text) => {
  expect(formatWait(seconds)).toBe(text);
});

it.each([
  [0, '1 kB'],
  [840_000, '840 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [6_200_000, '6.2 MB'],
  [999_949_999, '999.9 MB'],
  [999_950_000, '1.0 GB'],
  [41_000_000_000, '41.0 GB'],
  [2_500_000_000_000, '2.5 TB'],
  [1_234_000_000_000_000, '1234.0 TB'],
])('%s bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('counts', () => {
  expect(plural(1, 'summary', 'summaries')).toBe('1 summary');
  expect(plural(1200, 'book')).toBe('1,200 books');
});

it('rounds a hue to a class that exists', () => {
  expect(hueClass(265)).toBe('hue-270');
  expect(hueClass(359)).toBe('hue-0');
  expect(hueClass(20)).toBe('hue-15');
});

it.each([0, 1, 99, 100, 5999, 99_999, 100_000, 123_456_789, -1, -5999, -250_000, 0.4, 12.5])('%s cents read as Intl writes them', (cents) => {
  const written = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Math.round(cents) / 100);
  expect(formatMoney(cents)).toBe(written);
});
