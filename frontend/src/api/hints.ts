// What the browser knows about the viewer before the app runs. For the first paint only: no decision depends on it.

/** The access token's key in local storage (identity.browser-storage). */
export const TOKEN = 'token';

/** Whether the member had a plan on the last page, from a cookie that scripts may read (identity.paid-cookie). */
export const hintsPaid = (): boolean => /(?:^|;\s*)isPaid=(?:true|1)\b/.test(document.cookie);

/** Lifetime of the cookie, in seconds; the server uses the same. */
const HINT_SECONDS = 30 * 24 * 3600;

/** Sets the cookie from the account just fetched: a plan may begin or end between two sign-ins. */
export function hintPaid(isPaid: boolean): void {
  if (isPaid === hintsPaid()) return;
  document.cookie = `isPaid=${isPaid ? 'true' : ''}; Path=/; Max-Age=${isPaid ? HINT_SECONDS : 0}; SameSite=Lax`;
}
