import { describe, expect, it } from 'vitest';
import { TRANSITION, stepped, swiped } from '@/features/visuals/carousel';

describe('a carousel', () => {
  it('changes slides in 300 ms', () => expect(TRANSITION).toBe(300));

  it('stays within its bounds, and stands still during a change', () => {
    expect(stepped(0, 1, 6, false)).toBe(1);
    expect(stepped(0, -1, 6, false)).toBe(0);
    expect(stepped(6, 7, 6, false)).toBe(6);
    expect(stepped(2, 5, 6, false)).toBe(5);
    expect(stepped(2, 3, 6, true)).toBe(2);
  });

  it('takes a swipe along the line for a step, and not a tap or a scroll', () => {
    expect(swiped(-80, 10)).toBe(1);
    expect(swiped(80, -10)).toBe(-1);
    expect(swiped(-20, 0)).toBe(0);
    expect(swiped(-80, 90)).toBe(0);
  });
});
