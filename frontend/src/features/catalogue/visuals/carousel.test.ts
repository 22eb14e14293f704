import { describe, expect, it } from 'vitest';
import { TRANSITION, nextSlide } from '@/features/catalogue/visuals/carousel';

describe('a carousel', () => {
  it('changes slides in 300 ms', () => expect(TRANSITION).toBe(300));

  it('stays within its bounds, and stands still during a change', () => {
    expect(nextSlide(0, 1, 6, false)).toBe(1);
    expect(nextSlide(0, -1, 6, false)).toBe(0);
    expect(nextSlide(6, 7, 6, false)).toBe(6);
    expect(nextSlide(2, 5, 6, false)).toBe(5);
    expect(nextSlide(2, 3, 6, true)).toBe(2);
  });
});
