// The idempotency key of a checkout (billing.idempotency-key). It is created when the page opens, is kept in session storage so
// that a reload of the same cart reuses it, and belongs to one request body: a different body gets a new key.
//
// An attempt that was sent and whose outcome is unknown is resent unchanged before anything else is sent, so that nothing is
// paid twice.
import { viewer } from '@/api/queryClient';
import type { RequestOf } from '@/api/types';
import { readStored, writeStored } from '@/lib/browserStore';

/** The order: the request body with the plan from the URL, and whether it is a gift (billing.server-prices). */
export type Order = RequestOf<'POST /api/charge/process/{planId}'>['body'] & { planId: string; gift?: boolean };

export interface Attempt {
  key: string;
  /** The order that the key belongs to; null: none yet. */
  body: Order | null;
  /** Whether a payment was requested with this key and its outcome is unknown. */
  sent: boolean;
  /** When the key was created, in milliseconds since the epoch. */
  at: number;
  /** The kind of viewer that sent it: a member does not repeat a guest's purchase. */
  viewer: string;
}

/** Lifetime of a key, in milliseconds: the server reconciles older attempts and rejects their keys (billing.idempotency-key). */
const KEY_VALIDITY = 24 * 3_600_000;

const nameOf = (planId: string) => `checkout:${planId}`;

const store = (planId: string, attempt: Attempt): Attempt => {
  writeStored('session', nameOf(planId), JSON.stringify(attempt));
  return attempt;
};

const create = (planId: string, body: Order | null, now: number): Attempt =>
  store(planId, { key: crypto.randomUUID(), body, sent: false, at: now, viewer: viewer() });

/** The attempt of this plan's checkout; creates its key if there is none. */
export function openAttempt(planId: string, now = Date.now()): Attempt {
  try {
    const stored = JSON.parse(readStored('session', nameOf(planId)) ?? 'null') as Attempt | null;
    if (stored && typeof stored.key === 'string' && stored.viewer === viewer() && stored.at > now - KEY_VALIDITY) return stored;
  } catch {
    // Malformed: replaced.
  }
  return create(planId, null, now);
}

/** The attempt for this order: reuses the open key unless that belongs to another order. */
export function attemptFor(planId: string, body: Order, now = Date.now()): Attempt {
  const open = openAttempt(planId, now);
  if (open.body === null) return store(planId, { ...open, body });
  return JSON.stringify(open.body) === JSON.stringify(body) ? open : create(planId, body, now);
}

/** The attempt that was sent and whose outcome is unknown; null when there is none. */
export function unresolvedAttempt(planId: string, now = Date.now()): SentAttempt | null {
  const { body, ...open } = openAttempt(planId, now);
  return open.sent && body !== null ? { ...open, body } : null;
}

/** An attempt with its order. */
export type SentAttempt = Attempt & { body: Order };

/** Marks the attempt for this order as sent; call it before sending. */
export const beginAttempt = (planId: string, body: Order, now = Date.now()): SentAttempt => {
  const attempt = { ...attemptFor(planId, body, now), body, sent: true };
  store(planId, attempt);
  return attempt;
};

/** Ends the attempt, because its outcome is known. The next one gets a new key. */
export const endAttempt = (planId: string): void => writeStored('session', nameOf(planId), null);
