/** Scrolls to the beginning of the text and focuses it; smooth, unless reduced motion is preferred or `atOnce`. */
export function goToText(atOnce = false): void {
  const title = document.querySelector<HTMLElement>('.reader__title, .book-preview__title');
  title?.focus({ preventScroll: true });
  const calm = atOnce || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  title?.closest('section')?.scrollIntoView({ block: 'start', behavior: calm ? 'instant' : 'smooth' });
}
