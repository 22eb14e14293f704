import { describe, expect, it } from 'vitest';
import { isAtEdge, swipeStep } from '@/lib/swipe';

describe('a swipe', () => {
  it('along the line is a step, and a tap or a scroll is none', () => {
    expect(swipeStep(-80, 10)).toBe(1);
    expect(swipeStep(80, -10)).toBe(-1);
    expect(swipeStep(-20, 0)).toBe(0);
    expect(swipeStep(-80, 90)).toBe(0);
  });

  it('that begins at the edge of the screen is the system’s', () => {
    expect([0, 20, 31, 32, 200, 358, 359, 390].map((x) => isAtEdge(x, 390))).toEqual([true, true, true, false, false, false, true, true]);
  });
});
