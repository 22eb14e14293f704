// The claim token of a guest purchase: `chargeId` in session storage (billing.claim-storage), from the checkout to the sign-up or
// login that claims it.
import { call } from '@/api/client';
import { isRetryable } from '@/api/errors';
import { referralId } from '@/shared/referral/referralId';
import { readStored, writeStored } from '@/lib/browserStore';

const KEY = 'chargeId';

export const storedChargeId = (): string | null => readStored('session', KEY);

export const storeChargeId = (chargeId: string | null): void => writeStored('session', KEY, chargeId);

/** What every sign-up or login sends along: the purchase to claim, and the referral id. */
export interface JoiningContext {
  chargeId?: string;
  rId?: string;
}

/** Runs a sign-up or login with the guest purchase of this tab and the referral id; on success the purchase is claimed. */
export async function joinWithPurchase<T>(join: (context: JoiningContext) => Promise<T>): Promise<T> {
  const chargeId = storedChargeId();
  const rId = referralId();
  const joined = await join({ ...(chargeId !== null && { chargeId }), ...(rId !== null && { rId }) });
  storeChargeId(null);
  return joined;
}

/**
 * Claims the guest purchase of this tab for the member who has just signed in, if the sign-in itself did not.
 * Never fails: a claim that did not reach the server is retried at the next sign-in, and the receipt has a link.
 */
export async function claimPurchase(): Promise<void> {
  const chargeId = storedChargeId();
  if (chargeId === null) return;
  try {
    await call('POST /api/user/mark-as-paid', { body: { chargeId } });
    storeChargeId(null);
  } catch (error) {
    // Claimed by another account, for example: a retry can't help.
    if (!isRetryable(error)) storeChargeId(null);
  }
}
