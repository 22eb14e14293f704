// How a carousel moves: one step at a time, within its bounds, and not during a change (catalogue.visual-carousel).

/** How long a change of slides takes, in ms (catalogue.visual-carousel). */
export const TRANSITION = 300;

/** The slide after a request for `next`: the current one during a change or beyond the ends. */
export const nextSlide = (index: number, next: number, last: number, moving: boolean): number => (moving || next < 0 || next > last ? index : next);
