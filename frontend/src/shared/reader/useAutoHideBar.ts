import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Pixels of scrolling before the direction counts. */
const TREMBLE = 10;
/** The bar is shown within this many pixels of the page's end. */
const NEAR_END = 160;

/** Above this many pixels from the top the bar covers a section's title. */
const UNDER_BAR = 60;

/**
 * Hides the reader's bar on scrolling down, except while it is pressed or has the keyboard focus, and shows it on scrolling up,
 * at the end, or when it is focused; marks when the section's title is out of view. reader.css decides the effect: only phones
 * hide the bar, only wide screens show the title in it.
 */
export function useAutoHideBar(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last = window.scrollY;
    let frame = 0;
    const titleNow = () => bar.current?.parentElement?.querySelector('.reader__title') ?? null;
    let seen = titleNow();
    // If the bar moved away during a press, the release would hit another element and there would be no click.
    let pressed = false;
    const isInUse = () => pressed || Boolean(bar.current?.querySelector(':focus-visible'));
    const set = (quiet: boolean) => bar.current?.classList.toggle('reader__bar--hidden', quiet);
    const look = () => {
      frame = 0;
      const now = window.scrollY;
      const title = titleNow();
      bar.current?.classList.toggle('reader__bar--titled', title !== null && title.getBoundingClientRect().bottom < UNDER_BAR);
      if (title !== seen) {
        // A turn to another section, not a scroll by the reader.
        seen = title;
        set(false);
        last = now;
        return;
      }
      const atEnd = now + window.innerHeight > document.documentElement.scrollHeight - NEAR_END;
      if (now < TREMBLE || atEnd) set(false);
      else if (Math.abs(now - last) >= TREMBLE) set(now > last && !isInUse());
      else return;
      last = now;
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(look);
    };
    const show = () => set(false);
    const press = () => {
      pressed = true;
    };
    const release = () => {
      pressed = false;
    };
    const element = bar.current;
    window.addEventListener('scroll', onScroll, { passive: true });
    element?.addEventListener('focusin', show);
    element?.addEventListener('pointerdown', press);
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
      element?.removeEventListener('focusin', show);
      element?.removeEventListener('pointerdown', press);
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
    };
  }, [bar]);
}
