import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Events that show that the reader scrolls, not the browser. */
const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
/** For this many milliseconds after arrival, other scrolls are the browser's, which adjusts the position while the page grows. */
const SETTLING = 400;

/**
 * Calls `onRead` once when the end of a text is scrolled into view, or scrolled while in view. If it is in view on arrival, that
 * does not count: a jump to the last idea is not reading it (reading-progress.book-completion). A change of `arrivals` is another
 * arrival: the page has scrolled by itself.
 */
export function useEndOfText(end: RefObject<HTMLElement | null>, wanted: boolean, onRead: () => void, arrivals = 0): void {
  const read = useRef(onRead);
  useEffect(() => {
    read.current = onRead;
  });
  // A layout effect: the section has scrolled to its own beginning, the reader has not scrolled yet.
  useLayoutEffect(() => {
    const element = end.current;
    if (!wanted || !element) return;
    let wasHidden = element.getBoundingClientRect().top > window.innerHeight;
    const arrived = performance.now();
    let isVisible = false;
    let isByHand = false;
    const look = () => {
      if (!isVisible || !wasHidden) return;
      stop();
      read.current();
    };
    const observer = new IntersectionObserver((entries) => {
      isVisible = entries.at(-1)?.isIntersecting ?? false;
      wasHidden ||= !isVisible;
      look();
    });
    const onInput = () => {
      isByHand = true;
    };
    const onScroll = () => {
      wasHidden ||= isByHand || performance.now() - arrived > SETTLING;
      look();
    };
    const stop = () => {
      observer.disconnect();
      window.removeEventListener('scroll', onScroll);
      for (const input of BY_HAND) window.removeEventListener(input, onInput);
    };
    observer.observe(element);
    window.addEventListener('scroll', onScroll, { passive: true });
    for (const input of BY_HAND) window.addEventListener(input, onInput, { passive: true });
    return stop;
  }, [end, wanted, arrivals]);
}
