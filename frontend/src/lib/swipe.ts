/** Minimum length of a swipe, in px. */
const FAR_ENOUGH = 44;
/** Touches that begin this close to the screen's edge, in px, are the system's back gesture. */
const SYSTEM_EDGE = 32;

/** 1 for a swipe to the left (forward), -1 to the right, 0 for no swipe. */
export function swipeStep(dx: number, dy: number): -1 | 0 | 1 {
  if (Math.abs(dx) < FAR_ENOUGH || Math.abs(dx) < Math.abs(dy) * 1.4) return 0;
  return dx < 0 ? 1 : -1;
}

/** Whether a touch that begins at `x` may be the system's back gesture, on a screen of this width. */
export const isAtEdge = (x: number, width: number): boolean => x < SYSTEM_EDGE || x > width - SYSTEM_EDGE;
