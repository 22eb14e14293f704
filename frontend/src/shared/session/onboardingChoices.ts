// What a visitor chose before signing up: in local storage, because a link in a mail may open another tab. The next account that
// is created gets the choices, whatever the sign-up method (challenge.onboarding-result).
import { call } from '@/api/client';
import { isRetryable } from '@/api/errors';
import { readStored, writeStored } from '@/lib/browserStore';

export interface Choices {
  goals: readonly number[];
  categories: readonly number[];
}

const KEY = 'onboarding';
const DATE = 'onboardingDate';

/** How long choices are stored, in milliseconds. */
export const CHOICES_VALIDITY = 30 * 24 * 3_600_000;

const NOTHING: Choices = { goals: [], categories: [] };

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : []);

export const isNothing = ({ goals, categories }: Choices): boolean => goals.length === 0 && categories.length === 0;

/** The choices of this browser; empty when there are none from the last 30 days. */
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
 * Sends the choices to the account of the member who has just signed in, unless it already has preferences.
 * Never fails: choices that did not reach the server are sent at the next sign-in.
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
    // A category or goal that no longer exists, for example: a retry can't help.
    if (!isRetryable(error)) storeChoices(null);
  }
}
