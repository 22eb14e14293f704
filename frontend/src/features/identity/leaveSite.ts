/** Navigates to another site. Back leads to the page before this one. */
export const leaveSite = (url: string): void => window.location.replace(url);
