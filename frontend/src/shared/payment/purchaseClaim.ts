// The claim of a guest's purchase: `chargeId` in session storage (billing.claim-storage), from the checkout to the sign-up or login that
// takes it (billing.claim-storage).
import { call } from '@/api/client';
import { isRetryable } from '@/api/errors';
import { referralId } from '@/shared/referral/referralId';
import { readStored, writeStored } from '@/lib/browserStore';

const KEY = 'chargeId';

export const storedChargeId = (): string | null => readStored('session', KEY);

export const storeChargeId = (chargeId: string | null): void => writeStored('session', KEY, chargeId);

/** What ways to join take along: the purchase to claim, and who referred. */
export interface JoiningContext {
  chargeId?: string;
  rId?: string;
}

/** Joins with the purchase of this tab, which is claimed when that succeeds, and with the referral id. */
export async function joinWithPurchase<T>(join: (context: JoiningContext) => Promise<T>): Promise<T> {
  const chargeId = storedChargeId();
  const rId = referralId();
  const joined = await join({ ...(chargeId !== null && { chargeId }), ...(rId !== null && { rId }) });
  storeChargeId(null);
  return joined;
}

/**
 * Gives the purchase of this tab to the member who has just signed in, when the sign-in itself did not take it along.
 * Never fails: a claim that did not reach the server stays for the next sign-in, and the receipt has its link.
 */
export async function claimPurchase(): Promise<void> {
  const chargeId = storedChargeId();
  if (chargeId === null) return;
  try {
    await call('POST /api/user/mark-as-paid', { body: { chargeId } });
    storeChargeId(null);
  } catch (error) {
    // Used by another, say: asking again does not help.
    if (!isRetryable(error)) storeChargeId(null);
  }
}
