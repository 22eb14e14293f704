import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { claimPurchase, joinWithPurchase, storeChargeId, storedChargeId } from '@/shared/payment/purchaseClaim';
import { REFERRAL_VALIDITY, referralId, storeReferralId } from '@/shared/referral/referralId';
import { failure, on, server } from '@test/server';

beforeEach(() => session.start('t'));

describe('the purchase of a guest', () => {
  it('goes with the sign-up, with the referral id, and is then gone', async () => {
    storeChargeId('c-1');
    storeReferralId('r-1');
    expect(await joinWithPurchase((context) => Promise.resolve(context))).toEqual({ chargeId: 'c-1', rId: 'r-1' });
    expect(storedChargeId()).toBeNull();
    expect(await joinWithPurchase((context) => Promise.resolve(context))).toEqual({ rId: 'r-1' });
  });

  it('stays when the sign-up fails', async () => {
    storeChargeId('c-1');
    await expect(joinWithPurchase(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(storedChargeId()).toBe('c-1');
  });

  it('is claimed after a sign-in that did not take it along', async () => {
    storeChargeId('c-1');
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/user/mark-as-paid', ({ body }) => {
        bodies.push(body);
        return {};
      }),
    );
    await claimPurchase();
    await claimPurchase();
    expect(bodies).toEqual([{ chargeId: 'c-1' }]);
  });

  it.each([
    [503, 'unavailable', 'c-1'],
    [409, 'conflict', null],
  ])('after a failure %d %s is %s', async (status, code, left) => {
    storeChargeId('c-1');
    server.use(on('POST /api/user/mark-as-paid', () => failure(status, code, 'No.')));
    await claimPurchase();
    expect(storedChargeId()).toBe(left);
  });
});

describe('the referral id', () => {
  it('is remembered for 90 days', () => {
    expect(referralId()).toBeNull();
    storeReferralId('r-1', 1000);
    expect(referralId(1000 + REFERRAL_VALIDITY - 1)).toBe('r-1');
    expect(referralId(1000 + REFERRAL_VALIDITY)).toBeNull();
    expect(REFERRAL_VALIDITY).toBe(90 * 86_400_000);
  });
});
