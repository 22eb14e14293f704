import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { attemptFor, beginAttempt, endAttempt, openAttempt, unresolvedAttempt } from '@/features/billing/checkout/attempt';

const HOUR = 3_600_000;
const body = { planId: 'monthly', email: 'ada@example.com', token: 'pm_card_visa' };

describe('the idempotency key of a checkout', () => {
  beforeEach(() => session.end('left'));

  it('is made when the page opens and survives a reload', () => {
    const { key } = openAttempt('monthly');
    expect(openAttempt('monthly').key).toBe(key);
    expect(openAttempt('yearly').key).not.toBe(key);
  });

  it('belongs to the first body, and another body gets a new key', () => {
    const { key } = openAttempt('monthly');
    expect(attemptFor('monthly', body).key).toBe(key);
    expect(attemptFor('monthly', { ...body }).key).toBe(key);
    const other = attemptFor('monthly', { ...body, couponCode: 'SAVE40' });
    expect(other.key).not.toBe(key);
    expect(attemptFor('monthly', { ...body, couponCode: 'SAVE40' }).key).toBe(other.key);
  });

  it('is replaced once the outcome is known', () => {
    const { key } = beginAttempt('monthly', body);
    endAttempt('monthly');
    expect(beginAttempt('monthly', body).key).not.toBe(key);
  });

  it('is not used after 24 hours', () => {
    const { key } = openAttempt('monthly', 0);
    expect(openAttempt('monthly', 24 * HOUR - 1).key).toBe(key);
    expect(openAttempt('monthly', 24 * HOUR).key).not.toBe(key);
  });

  it('of a guest is not used by a member', () => {
    beginAttempt('monthly', body);
    session.start('t');
    expect(unresolvedAttempt('monthly')).toBeNull();
  });

  it('with what was sent stays until its outcome is known', () => {
    expect(unresolvedAttempt('monthly')).toBeNull();
    attemptFor('monthly', body);
    expect(unresolvedAttempt('monthly')).toBeNull(); // nothing was sent
    const { key } = beginAttempt('monthly', body);
    expect(unresolvedAttempt('monthly')).toMatchObject({ key, body });
    endAttempt('monthly');
    expect(unresolvedAttempt('monthly')).toBeNull();
  });

  it('replaces a value that is not its own', () => {
    sessionStorage.setItem('checkout:monthly', '{');
    expect(openAttempt('monthly').body).toBeNull();
  });
});
