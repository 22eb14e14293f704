// What a person chose before the sign-up: in local storage, because a mail's link may open another tab. The account that is made next
// takes it, whichever way the person signs up (challenge.onboarding-result).
import { call } from '@/api/client';
import { isRetryable } from '@/api/errors';
import { readStored, writeStored } from '@/lib/browserStore';

export interface Choices {
  goals: readonly number[];
  categories: readonly number[];
}

const KEY = 'onboarding';
const DATE = 'onboardingDate';

/** How long choices wait for an account, in milliseconds. */
export const CHOICES_VALIDITY = 30 * 24 * 3_600_000;

const NOTHING: Choices = { goals: [], categories: [] };

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : []);

export const isNothing = ({ goals, categories }: Choices): boolean => goals.length === 0 && categories.length === 0;

/** The choices of this browser; empty when there are none of the last 30 days. */
export function storedChoices(now = Date.now()): Choices {
  const since = Number(readStored('local', DATE) ?? Number.NaN);
  if (!(since > now - CHOICES_VALIDITY)) return NOTHING;
  try {
    const stored = JSON.parse(readStored('local', KEY) ?? 'null') as Partial<Record<keyof Choices, unknown>> | null;
    return { goals: idsOf(stored?.goals), categories: idsOf(stored?.categories) };
  } catch {
    return NOTHING;
  }
}

export function storeChoices(choices: Choices | null, now = Date.now()): void {
  const kept = choices !== null && !isNothing(choices);
  writeStored('local', KEY, kept ? JSON.stringify(choices) : null);
  writeStored('local', DATE, kept ? String(now) : null);
}

/**
 * Gives the choices to the member who has just signed in, unless the account has preferences already.
 * Never fails: choices that did not reach the server stay for the next sign-in.
 */
export async function carryChoices({ recommends }: { recommends: readonly number[] }): Promise<void> {
  const choices = storedChoices();
  if (isNothing(choices)) return;
  if (recommends.length > 0) {
    storeChoices(null);
    return;
  }
  try {
    await call('PUT /api/onboarding/choices', { body: { goals: [...choices.goals], categories: [...choices.categories] } });
    storeChoices(null);
  } catch (error) {
    // A category or goal that is gone, say: asking again does not help.
    if (!isRetryable(error)) storeChoices(null);
  }
}
