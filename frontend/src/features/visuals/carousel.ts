// How a carousel moves: one step at a time, within its bounds, and not during a change (member.md §4, §9).

/** How long a change of slides takes, in ms (member.md §9). */
export const TRANSITION = 300;

/** A swipe goes at least this far, in px. */
const FAR_ENOUGH = 44;

/** The slide after a request for `next`: the current one during a change or beyond the ends. */
export const nextSlide = (index: number, next: number, last: number, moving: boolean): number => (moving || next < 0 || next > last ? index : next);

/** 1 for a swipe to the left (the next slide), -1 to the right, 0 for no swipe. */
export function swipeStep(dx: number, dy: number): -1 | 0 | 1 {
  if (Math.abs(dx) < FAR_ENOUGH || Math.abs(dx) < Math.abs(dy) * 1.4) return 0;
  return dx < 0 ? 1 : -1;
}
