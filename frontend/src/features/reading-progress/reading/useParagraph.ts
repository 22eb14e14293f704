import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { BLOCKS } from '@/shared/listening/marks';

/** A paragraph counts as read below this many pixels from the top; above is the toolbar. */
const TOP = 72;
/** Milliseconds without scrolling before the position is saved. */
const SETTLED = 1_500;

const blocks = () => [...document.querySelectorAll<HTMLElement>(`.reader__section .reader__text :is(${BLOCKS})`)];

/** The paragraph at the top of the screen, from 0; null at the section's beginning, and where none is on the screen. */
export function paragraphOnTop(): number | null {
  const at = blocks().findIndex((block) => block.getBoundingClientRect().bottom > TOP);
  return at > 0 ? at : null;
}

/** Scrolls to a paragraph of the section. */
export function goToParagraph(paragraph: number): void {
  const block = blocks()[paragraph];
  if (block) window.scrollBy({ top: block.getBoundingClientRect().top - TOP, behavior: 'instant' });
}

/**
 * Opens a section at a paragraph, and reports the paragraph at the top of the screen when scrolling has stopped, the
 * page is hidden or the section is left. Scrolling back to the section's beginning reports nothing, because the page's links are
 * there, and following one of them must not lose the position. Returns whether the page has arrived: earlier scrolls are not the
 * reader's.
 */
export function useParagraph(index: number, opening: number | null, report: (paragraph: number) => void): boolean {
  const [isThere, setIsThere] = useState(opening === null);

  // After the router has restored its own scroll position.
  useEffect(() => {
    if (isThere) return;
    const frame = requestAnimationFrame(() => {
      if (opening !== null) goToParagraph(opening);
      setIsThere(true);
    });
    return () => cancelAnimationFrame(frame);
  }, [isThere, opening]);

  const tell = useEffectEvent(report);
  const unsaved = useRef<(() => void) | null>(null);
  // A layout effect: on clean-up the text is still in the page.
  useLayoutEffect(() => () => unsaved.current?.(), []);
  useEffect(() => {
    if (!isThere) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      const paragraph = paragraphOnTop();
      if (paragraph !== null) tell(paragraph);
    };
    unsaved.current = save;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(save, SETTLED);
    };
    const onHide = () => {
      if (document.visibilityState === 'hidden') save();
    };
    // The initial scroll does not count: its paragraph was reported with the section.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => window.addEventListener('scroll', onScroll, { passive: true })));
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', save);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', save);
    };
  }, [index, isThere]);

  return isThere;
}
