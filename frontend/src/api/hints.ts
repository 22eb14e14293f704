// Hints about the viewer that the browser has before the app runs, for the first paint only. No decision reads them.

/** The access token's key in local storage (identity.browser-storage). */
export const TOKEN = 'token';

/** Whether the member had a plan on the last page: a cookie that scripts may read (identity.paid-cookie). */
export const hintsPaid = (): boolean => /(?:^|;\s*)isPaid=(?:true|1)\b/.test(document.cookie);

/** How long the hint lasts, in seconds, as the server has it. */
const HINT_SECONDS = 30 * 24 * 3600;

/** Corrects the hint by what the server has just said: a plan may begin and end between two sign-ins. */
export function hintPaid(isPaid: boolean): void {
  if (isPaid === hintsPaid()) return;
  document.cookie = `isPaid=${isPaid ? 'true' : ''}; Path=/; Max-Age=${isPaid ? HINT_SECONDS : 0}; SameSite=Lax`;
}
