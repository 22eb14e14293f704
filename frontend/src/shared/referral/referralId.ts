// The id of the referral link that brought the visitor here: `rId` in local storage, for 90 days (referral.link-capture).
import { readStored, writeStored } from '@/lib/browserStore';

const ID = 'rId';
const DATE = 'rIdDate';

/** How long a referral link is remembered, in milliseconds. */
export const REFERRAL_VALIDITY = 90 * 24 * 3_600_000;

/** The id of the last referral link; null when there was none within 90 days. */
export function referralId(now = Date.now()): string | null {
  const id = readStored('local', ID);
  const since = Number(readStored('local', DATE) ?? Number.NaN);
  return id !== null && since > now - REFERRAL_VALIDITY ? id : null;
}

/** Stores the id of a referral link. A later link replaces it. */
export function storeReferralId(id: string, now = Date.now()): void {
  writeStored('local', ID, id);
  writeStored('local', DATE, String(now));
}
