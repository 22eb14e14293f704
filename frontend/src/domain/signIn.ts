// What brings a member in: where to go after a sign-in, the single-use `token` of an address, and the second step.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { SignedIn } from '@/api/types';
import { safeRedirect } from '@/lib/redirect';
import { paths } from '@/paths';

/** The session is asked for this long after a token arrived in an address, in milliseconds (member.md §9). */
export const SESSION_CHECK_DELAY = 1000;

const REDIRECT = 'redirect';
const TICKET = 'ticket';

// Storage can be refused altogether: what it would keep is then lost with the page.
function keep(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // As said.
  }
}

function kept(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a target over a detour: a provider's pages (member.md §4). Only paths of this origin. */
export const storeRedirect = (target: string | null): void => keep(REDIRECT, safeRedirect(target));

/** A target remembered over a detour, used once. */
export function takeStoredRedirect(): string | null {
  const target = kept(REDIRECT);
  keep(REDIRECT, null);
  return safeRedirect(target);
}

/** The redirect of the address, else the stored one, else null. Only paths of this origin. */
export function arrivalTarget(params: URLSearchParams): string | null {
  return safeRedirect(params.get('redirect')) ?? takeStoredRedirect();
}

/** The ticket of a login whose first step is done and whose second is not; it outlives a reload, not the tab. */
export const secondStep = {
  ticket: (): string | null => kept(TICKET),
  begin: (ticket: string): void => keep(TICKET, ticket),
  end: (): void => keep(TICKET, null),
};

/** Whether a failed sign-in asks for the second factor. Its ticket is then kept, for the login page to go on with. */
export function asksSecondFactor(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required' || error.ticket === null) return false;
  secondStep.begin(error.ticket);
  return true;
}

/** Keeps who just signed in. Nothing that another member saw stays. */
export function welcome({ token }: SignedIn): void {
  secondStep.end();
  queryClient.removeQueries({ queryKey: ['member'] });
  session.start(token);
}

/** Trades a single-use token for a session of one's own (decisions.md 15). */
export async function tradeToken(token: string): Promise<void> {
  welcome(await call('GET /api/user/session', { bearer: token }));
}

/** Stores a token that arrived in an address, and trades it in after a second (member.md §4). */
export async function tradeArrival(token: string, delay = SESSION_CHECK_DELAY): Promise<void> {
  session.start(token);
  await new Promise((resolve) => setTimeout(resolve, delay));
  try {
    await tradeToken(token);
  } catch (error) {
    session.end('left');
    throw error;
  }
}

/** A `token` in the address: cleans the address at once, trades the token in, and answers where to go. */
export async function signInByToken(url: URL, delay = SESSION_CHECK_DELAY): Promise<string> {
  const token = url.searchParams.get('token') ?? '';
  const clean = new URL(url);
  clean.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', clean.pathname + clean.search);
  const target = safeRedirect(clean.searchParams.get('redirect'));
  try {
    await tradeArrival(token, delay);
    return target ?? takeStoredRedirect() ?? paths.home;
  } catch (error) {
    const query = new URLSearchParams({
      ...(target && { redirect: target }),
      ...(!asksSecondFactor(error) && { error: 'This link to log in has expired. Please log in.' }),
    });
    return `${paths.login}?${query.toString()}`;
  }
}
