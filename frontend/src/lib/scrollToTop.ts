/** Scrolls smoothly to the top of the page, where errors and notices stand. */
export const scrollToTop = (): void => window.scrollTo({ top: 0, behavior: 'smooth' });
