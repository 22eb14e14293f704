import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Pixels of scrolling before the direction counts: a thumb trembles. */
const TREMBLE = 10;
/** Near the end of the page the controls come back by themselves. */
const NEAR_END = 160;

/** Takes the reader's bar away while one reads on (scrolls down) and brings it back on the way up, at the end, or when it is focused. Only phones hide it (reader.css). */
export function useQuietBar(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last = window.scrollY;
    let frame = 0;
    const set = (quiet: boolean) => bar.current?.classList.toggle('reader__bar--quiet', quiet);
    const look = () => {
      frame = 0;
      const now = window.scrollY;
      const atEnd = now + window.innerHeight > document.documentElement.scrollHeight - NEAR_END;
      if (now < TREMBLE || atEnd) set(false);
      else if (Math.abs(now - last) >= TREMBLE) set(now > last);
      else return;
      last = now;
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(look);
    };
    const show = () => set(false);
    const element = bar.current;
    window.addEventListener('scroll', onScroll, { passive: true });
    element?.addEventListener('focusin', show);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
      element?.removeEventListener('focusin', show);
    };
  }, [bar]);
}
