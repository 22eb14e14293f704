import { expect, it } from 'vitest';
import { isTrailer } from '@/features/reading-progress/listening/trailer';

it.each([
  [60, 14, true],
  [209, 14, true],
  [210, 14, false],
  [840, 14, false],
  [null, 14, false],
  [0, 14, false],
])('a film of %s s for a summary of %i minutes is a trailer: %s', (seconds, minutes, trailer) => {
  expect(isTrailer(seconds, minutes)).toBe(trailer);
});
