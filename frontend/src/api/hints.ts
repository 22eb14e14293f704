// Hints about the viewer that the browser has before the app runs, for the first paint only. No decision reads them.

/** The access token's key in local storage (member.md §3). */
export const TOKEN = 'token';

/** Whether the member had a plan on the last page: a cookie that scripts may read (decisions.md 14). */
export const hintsPaid = (): boolean => /(?:^|;\s*)isPaid=(?:true|1)\b/.test(document.cookie);
