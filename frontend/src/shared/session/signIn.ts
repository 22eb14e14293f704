// Sign-in: the redirect target, the single-use `token` of a URL, and the second factor.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { SignedIn } from '@/api/types';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { contextOf, destinationOf, withContext } from '@/shared/session/context';
import { carryChoices } from '@/shared/session/onboardingChoices';
import { claimPurchase } from '@/shared/payment/purchaseClaim';
import { referralId } from '@/shared/referral/referralId';
import { safeRedirect } from '@/lib/redirect';
import { paths } from '@/paths';

/** Delay between a token's arrival in a URL and its exchange for a session, in milliseconds (identity.single-use-token). */
export const SESSION_CHECK_DELAY = 1000;

const REDIRECT = 'redirect';
const TICKET = 'ticket';

// Without storage the values last as long as the page.
function storeValue(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage is unavailable: see above.
  }
}

function storedValue(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores the redirect target while the member is on a provider's pages (identity.redirect-target). Only paths of this origin. */
export const storeRedirect = (target: string | null): void => storeValue(REDIRECT, safeRedirect(target));

/** Reads and removes the stored redirect target; null when there is none. */
export function takeStoredRedirect(): string | null {
  const target = storedValue(REDIRECT);
  storeValue(REDIRECT, null);
  return safeRedirect(target);
}

/** The redirect target of the URL, else the stored one, else null. Only paths of this origin. */
export function redirectTarget(params: URLSearchParams): string | null {
  return safeRedirect(params.get('redirect')) ?? takeStoredRedirect();
}

/** The ticket of a login that requires a second factor. It survives a reload, but not the tab. */
export const secondFactorTicket = {
  ticket: (): string | null => storedValue(TICKET),
  begin: (ticket: string): void => storeValue(TICKET, ticket),
  end: (): void => storeValue(TICKET, null),
};

/** Whether a sign-in failed because a second factor is required. If so, stores its ticket for the login page. */
export function isSecondFactorRequired(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required' || error.ticket === null) return false;
  secondFactorTicket.begin(error.ticket);
  return true;
}

/** Starts the session of a sign-in, and passes it the tab's guest purchase and the onboarding choices. Cached data of another member is removed. */
export async function startSession({ token, user }: SignedIn): Promise<void> {
  secondFactorTicket.end();
  if (copiesOwner.isSet() && copiesOwner.current()?.member !== user.id) copiesOwner.end();
  queryClient.removeQueries({ queryKey: ['member'] });
  session.start(token);
  await claimPurchase();
  await carryChoices(user);
}

/** Exchanges a single-use token for a session, with the stored referral id (identity.single-use-token, referral.link-capture). */
export async function exchangeToken(token: string): Promise<void> {
  const rId = referralId();
  await startSession(await call('GET /api/user/session', { bearer: token, ...(rId !== null && { query: { rId } }) }));
}

/** Stores a token that arrived in a URL, and exchanges it after `delay` (identity.single-use-token). */
export async function exchangeUrlToken(token: string, delay = SESSION_CHECK_DELAY): Promise<void> {
  session.start(token);
  await new Promise((resolve) => setTimeout(resolve, delay));
  try {
    await exchangeToken(token);
  } catch (error) {
    session.end('left');
    throw error;
  }
}

/** Signs in by the `token` of a URL: removes it from the address bar at once, exchanges it, and returns where to go. */
export async function signInByUrlToken(url: URL, delay = SESSION_CHECK_DELAY): Promise<string> {
  const token = url.searchParams.get('token') ?? '';
  const clean = new URL(url);
  clean.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', clean.pathname + clean.search);
  const context = contextOf(clean.searchParams);
  try {
    await exchangeUrlToken(token, delay);
    return destinationOf(context) ?? takeStoredRedirect() ?? paths.home;
  } catch (error) {
    const login = withContext(paths.login, context);
    if (isSecondFactorRequired(error)) return login;
    return `${login}${login.includes('?') ? '&' : '?'}${new URLSearchParams({ error: 'This link to log in has expired. Please log in.' }).toString()}`;
  }
}
