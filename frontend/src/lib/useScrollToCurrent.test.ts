import { expect, it } from 'vitest';
import { scrollFor } from '@/lib/useScrollToCurrent';

const row = { left: 0, right: 390 };

it.each([
  ['stays where the current one is in sight', { left: 120, right: 200 }, 0],
  ['goes right for what stands behind the edge, with some of its neighbour', { left: 500, right: 580 }, 230],
  ['goes right for what is cut', { left: 340, right: 420 }, 70],
  ['goes left for what stands before the edge', { left: -120, right: -40 }, -160],
  ['shows the beginning of what is wider than the row', { left: 500, right: 1000 }, 460],
])('%s', (_, current, by) => {
  expect(scrollFor(row, current)).toBe(by);
});
