import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/**
 * Calls `onRead` once when the end of a text comes on screen, or is scrolled while on it. Being there on arrival does not
 * count: a jump to the last idea is not reading it (decisions.md 24).
 */
export function useEndOfText(end: RefObject<HTMLElement | null>, wanted: boolean, onRead: () => void): void {
  const read = useRef(onRead);
  useEffect(() => {
    read.current = onRead;
  });
  // Layout effect: the section has scrolled to its own beginning, the reader not yet.
  useLayoutEffect(() => {
    const element = end.current;
    if (!wanted || !element) return;
    const arrivedAt = window.scrollY;
    let isVisible = false;
    let wasHidden = false;
    const look = () => {
      if (!isVisible || (!wasHidden && window.scrollY === arrivedAt)) return;
      stop();
      read.current();
    };
    const observer = new IntersectionObserver((entries) => {
      isVisible = entries.at(-1)?.isIntersecting ?? false;
      look();
      wasHidden ||= !isVisible;
    });
    const stop = () => {
      observer.disconnect();
      window.removeEventListener('scroll', look);
    };
    observer.observe(element);
    window.addEventListener('scroll', look, { passive: true });
    return stop;
  }, [end, wanted]);
}
