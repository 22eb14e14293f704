// What a browser knows of who is here before anything runs: enough to draw the first paint for them. No decision reads it.

/** Where the access token lies in local storage (member.md §3). */
export const TOKEN = 'token';

/** What the last page knew of the member's plan: a cookie that scripts may read (decisions.md 14). */
export const hintsPaid = (): boolean => /(?:^|;\s*)isPaid=(?:true|1)\b/.test(document.cookie);
