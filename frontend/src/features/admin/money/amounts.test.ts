import { describe, expect, it } from 'vitest';
import { amountText, centsOf } from '@/features/admin/money/amounts';

describe('an amount', () => {
  it.each([
    ['59.99', 5999],
    ['$1,200', 120_000],
    [' 5 ', 500],
    ['0.1', 10],
    ['0', 0],
    // 4.35 * 100 is 434.99999999999994.
    ['4.35', 435],
  ])('%s is read', (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  it.each(['', 'x', '-1', '1.999', '1e3', '.5', '9999999999'])('%j is none', (text) => {
    expect(centsOf(text)).toBeNull();
  });

  it('is written with two digits', () => {
    expect([5999, 500, 10].map(amountText)).toEqual(['59.99', '5.00', '0.10']);
  });
});
