import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Pixels of scrolling before the direction counts: a thumb trembles. */
const TREMBLE = 10;
/** Near the end of the page the controls come back by themselves. */
const NEAR_END = 160;

/** Below this many pixels from the top a section's title is covered by the bar. */
const UNDER_BAR = 60;

/**
 * Takes the reader's bar away while one reads on (scrolls down) and brings it back on the way up, at the end, or when
 * it is focused; says when the section's title is out of sight. What that looks like is for reader.css: only phones
 * hide the bar, only wide screens then show the title in it.
 */
export function useQuietBar(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last = window.scrollY;
    let frame = 0;
    const titleNow = () => bar.current?.parentElement?.querySelector('.reader__title') ?? null;
    let seen = titleNow();
    const set = (quiet: boolean) => bar.current?.classList.toggle('reader__bar--quiet', quiet);
    const look = () => {
      frame = 0;
      const now = window.scrollY;
      const title = titleNow();
      bar.current?.classList.toggle('reader__bar--deep', title !== null && title.getBoundingClientRect().bottom < UNDER_BAR);
      if (title !== seen) {
        // Turned to another section: that scroll was not the reader's.
        seen = title;
        set(false);
        last = now;
        return;
      }
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
