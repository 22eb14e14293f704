// Carousel navigation: one step at a time, within bounds, and not during a transition (catalogue.visual-carousel).

/** Duration of a transition, in ms (catalogue.visual-carousel). */
export const TRANSITION = 300;

/** The slide after a request for `next`: the current one during a transition or beyond the ends. */
export const nextSlide = (index: number, next: number, last: number, moving: boolean): number => (moving || next < 0 || next > last ? index : next);
