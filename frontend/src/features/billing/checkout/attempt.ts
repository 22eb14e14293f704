// The idempotency key of a checkout (billing.idempotency-key). It is made when the page opens, lives in session storage so that a reload
// of the same cart has the same one, and belongs to one body: another body gets a new key.
//
// An attempt that was sent and whose outcome is not known is sent again as it was before anything else is, so that nothing is
// paid twice.
import { viewer } from '@/api/queryClient';
import type { RequestOf } from '@/api/types';
import { readStored, writeStored } from '@/lib/browserStore';

/** What is bought, with what the documents name besides (billing.server-prices): the plan of the address, and whether it is a gift. */
export type Order = RequestOf<'POST /api/charge/process/{planId}'>['body'] & { planId: string; gift?: boolean };

export interface Attempt {
  key: string;
  /** What the key belongs to; null: nothing yet. */
  body: Order | null;
  /** A payment was asked for with it, and its outcome is not known. */
  sent: boolean;
  /** When the key was made, in milliseconds since the epoch. */
  at: number;
  /** Who asked: the purchase of a guest is not repeated by a member. */
  viewer: string;
}

/** Servers reconcile older keys and answer them no more (billing.idempotency-key), in milliseconds. */
const KEY_VALIDITY = 24 * 3_600_000;

const nameOf = (planId: string) => `checkout:${planId}`;

const store = (planId: string, attempt: Attempt): Attempt => {
  writeStored('session', nameOf(planId), JSON.stringify(attempt));
  return attempt;
};

const create = (planId: string, body: Order | null, now: number): Attempt =>
  store(planId, { key: crypto.randomUUID(), body, sent: false, at: now, viewer: viewer() });

/** The attempt of this plan's checkout; makes its key when there is none. */
export function openAttempt(planId: string, now = Date.now()): Attempt {
  try {
    const stored = JSON.parse(readStored('session', nameOf(planId)) ?? 'null') as Attempt | null;
    if (stored && typeof stored.key === 'string' && stored.viewer === viewer() && stored.at > now - KEY_VALIDITY) return stored;
  } catch {
    // Not ours: replaced.
  }
  return create(planId, null, now);
}

/** The attempt for this body: with the open key when that belongs to nothing else, otherwise with a new one. */
export function attemptFor(planId: string, body: Order, now = Date.now()): Attempt {
  const open = openAttempt(planId, now);
  if (open.body === null) return store(planId, { ...open, body });
  return JSON.stringify(open.body) === JSON.stringify(body) ? open : create(planId, body, now);
}

/** The attempt that was sent and whose outcome is not known; null without one. */
export function unresolvedAttempt(planId: string, now = Date.now()): SentAttempt | null {
  const { body, ...open } = openAttempt(planId, now);
  return open.sent && body !== null ? { ...open, body } : null;
}

/** An attempt with what it asks for. */
export type SentAttempt = Attempt & { body: Order };

/** Marks the attempt for this body as sent, before it is. */
export const beginAttempt = (planId: string, body: Order, now = Date.now()): SentAttempt => {
  const attempt = { ...attemptFor(planId, body, now), body, sent: true };
  store(planId, attempt);
  return attempt;
};

/** Ends the attempt: its outcome is known. The next one has a new key. */
export const endAttempt = (planId: string): void => writeStored('session', nameOf(planId), null);
