/** Leaves for another site's page. Back leads to the page before this one. */
export const leaveSite = (url: string): void => window.location.replace(url);
