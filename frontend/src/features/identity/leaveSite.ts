/** Navigates to another site, replacing the history entry: going back leads to the page before this one. */
export const leaveSite = (url: string): void => window.location.replace(url);
