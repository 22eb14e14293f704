import { describe, expect, it } from 'vitest';
import { chargeTerms, everyPeriod, payLabel, titleOf } from '@/features/billing/checkout/terms';
import { TODAY, sampleQuote } from '@test/checkout';

describe('what is charged when', () => {
  it('of a trial: nothing today, the sum and the date of the first charge, what follows', () => {
    const quote = sampleQuote('yearly', { percent_off: 40 });
    expect(chargeTerms(quote).join(' ')).toBe(
      'Nothing is charged today. Your first charge is $36.00 on November 25, 2026, when your free trial ends. After that $59.99 each year, until you turn renewal off. We email you 24 hours before the first charge.',
    );
    expect(payLabel(quote, 3)).toBe('Start 3-day free trial');
  });

  it('of a subscription without a trial', () => {
    const quote = sampleQuote('monthly', { trialEndsAt: null, dueNow: 999 });
    expect(chargeTerms(quote)).toEqual(['$9.99 is charged today, then $9.99 each month, until you turn renewal off.']);
    expect(payLabel(quote, 3)).toBe('Pay $9.99');
  });

  it('of what is paid once', () => {
    expect(chargeTerms(sampleQuote('lifetime'))).toEqual(['$149.00 is charged once, today. Nothing renews.']);
    expect(payLabel(sampleQuote('bulk', { quantity: 200 }), 0)).toBe('Pay $5,998.00');
  });

  it('of what costs nothing', () => {
    const quote = sampleQuote('yearly', { percent_off: 100 });
    expect(chargeTerms(quote)).toEqual(['Nothing is charged, and nothing renews.']);
    expect(payLabel(quote, 3)).toBe('Complete the order');
  });

  it('of a switch: what is counted, what is charged now, the next charge', () => {
    const change = { startsAt: TODAY, chargedNow: 5410, creditLeft: 0, nextCharge: 5999, nextChargeAt: Date.UTC(2027, 10, 22, 12), fromPlanName: 'Monthly' };
    const quote = sampleQuote('yearly', { switch: change });
    expect(chargeTerms(quote)).toEqual([
      'You switch from Monthly today. What is left of it is credited.',
      '$54.10 is charged today.',
      'The next charge is $59.99 on November 22, 2027.',
    ]);
    expect(payLabel(quote, 3)).toBe('Switch and pay $54.10');
    expect(payLabel({ ...quote, switch: { ...change, chargedNow: 0 } }, 3)).toBe('Switch to Yearly');
    const back = { ...change, startsAt: change.nextChargeAt, chargedNow: 0, nextCharge: 999, fromPlanName: 'Yearly' };
    expect(chargeTerms(sampleQuote('monthly', { switch: back }))).toEqual([
      'You have Yearly until November 22, 2027. Monthly begins on that day.',
      'Nothing is charged today.',
      'The next charge is $9.99 on November 22, 2027.',
    ]);
    expect(chargeTerms(sampleQuote('monthly', { switch: { ...back, startsAt: TODAY, creditLeft: 4500 } }))[2]).toBe(
      '$45.00 is left over and will reduce later charges.',
    );
  });

  it('names periods and books', () => {
    expect([1, 12, 3].map(everyPeriod)).toEqual(['each month', 'each year', 'every 3 months']);
    expect([titleOf(sampleQuote('book-walden')), titleOf(sampleQuote('gift'))]).toEqual(['Walden', 'Gift']);
  });
});
