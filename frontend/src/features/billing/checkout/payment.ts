// A payment from the press on the pay button to its outcome: sent with an idempotency key, authenticated if the bank asks for it.
import { callFileOr } from '@/api/client';
import type { FileResponse } from '@/api/client';
import { ApiError, GENERAL_FAILURE } from '@/api/errors';
import type { ResultOf } from '@/api/types';
import type { Authenticate } from '@/shared/payment/useAuthentication';
import { endAttempt } from '@/features/billing/checkout/attempt';
import type { SentAttempt } from '@/features/billing/checkout/attempt';

export type ChargeResult = ResultOf<'POST /api/charge/process/{planId}'>;

/** The result of a payment; for a single book it is the file itself. */
export type Payment = { result: ChargeResult } | { file: FileResponse };

/** The note under an error that leaves it unknown whether the payment went through. */
export const NOT_TWICE = 'If you press again, we check that payment first. You will not be charged twice.';

/** Error codes of conflicts in which nothing was charged. */
const REFUSALS = ['already_subscribed', 'already_there', 'price_changed'];

/** Whether an error means that this attempt has not been charged and never will be. */
export const isOutcomeKnown = (error: unknown): boolean =>
  error instanceof ApiError && ([400, 402, 403, 404, 422].includes(error.status) || REFUSALS.includes(error.code));

/** Sends an attempt, with authentication if the bank requires it. Ends the attempt when its outcome is known. */
export async function sendAttempt(planId: string, { key, body }: SentAttempt, authenticate: Authenticate): Promise<Payment> {
  try {
    const answer = await callFileOr('POST /api/charge/process/{planId}', { path: { planId }, body, idempotencyKey: key });
    const payment = await completeAuthentication(answer, authenticate);
    endAttempt(planId);
    return payment;
  } catch (error) {
    if (isOutcomeKnown(error)) endAttempt(planId);
    throw error;
  }
}

/** Runs the authentication that a payment requires, once; throws when it is declined. */
export async function completeAuthentication(payment: Payment, authenticate: Authenticate): Promise<Payment> {
  if ('file' in payment) return payment;
  const { result } = payment;
  if (!result.requiresAction || result.clientSecret === null) return accepted(payment);
  await authenticate(result.clientSecret);
  const confirmed = await callFileOr('POST /api/charge/confirm', { body: { checkout: result.checkout } });
  if ('result' in confirmed && confirmed.result.requiresAction) {
    throw new ApiError({
      status: 402,
      code: 'authentication_required',
      message: 'Your bank has not confirmed the payment, so nothing was charged. Please try again, or use another card.',
    });
  }
  return accepted(confirmed);
}

/** Returns the payment; throws when its result is a decline. */
function accepted(payment: Payment): Payment {
  if ('file' in payment || payment.result.status !== 'declined') return payment;
  throw new ApiError({ status: 402, code: 'card_declined', message: payment.result.error ?? GENERAL_FAILURE });
}
