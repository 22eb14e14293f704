/** Scrolls smoothly to the top of the page, where errors and notices are. */
export const scrollToTop = (): void => window.scrollTo({ top: 0, behavior: 'smooth' });
