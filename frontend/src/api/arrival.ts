// What brings a member in: where to go after a sign-in, and the single-use `token` of an address.
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { SignedIn } from '@/api/types';
import { safeRedirect } from '@/lib/redirect';
import { paths } from '@/paths';

/** The session is asked for this long after a token arrived in an address, in milliseconds (member.md §9). */
export const SESSION_CHECK_DELAY = 1000;

const REDIRECT = 'redirect';

/** A target remembered over a detour (a provider's pages), used once. */
function takeStoredRedirect(): string | null {
  try {
    const target = sessionStorage.getItem(REDIRECT);
    sessionStorage.removeItem(REDIRECT);
    return safeRedirect(target);
  } catch {
    return null;
  }
}

/** The redirect of the address, else the stored one, else null. Only paths of this origin. */
export function arrivalTarget(params: URLSearchParams): string | null {
  return safeRedirect(params.get('redirect')) ?? takeStoredRedirect();
}

/** Keeps who just signed in. Nothing that another member saw stays. */
export function welcome({ token }: SignedIn): void {
  queryClient.removeQueries({ queryKey: ['member'] });
  session.start(token);
}

/**
 * A `token` in the address: cleans the address at once, trades the token for a session after a second (decisions.md
 * 15), and answers where to go.
 */
export async function signInByToken(url: URL, delay = SESSION_CHECK_DELAY): Promise<string> {
  const token = url.searchParams.get('token') ?? '';
  const clean = new URL(url);
  clean.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', clean.pathname + clean.search);
  session.start(token);
  await new Promise((resolve) => setTimeout(resolve, delay));
  try {
    welcome(await call('GET /api/user/session'));
    return arrivalTarget(clean.searchParams) ?? paths.home;
  } catch {
    session.end('left');
    return `${paths.login}?error=${encodeURIComponent('This link to log in has expired. Please log in.')}`;
  }
}
