import { describe, expect, it } from 'vitest';
import { longAgo, recalledHighlights } from '@/features/reading-progress/reading/recalled';
import type { Highlight } from '@/shared/study/records';
import { sampleHighlight } from '@test/study';

const DAY = 24 * 60 * 60 * 1000;

describe('a time that is long ago', () => {
  it.each([
    [7, '1 week ago'],
    [13, '1 week ago'],
    [14, '2 weeks ago'],
    [59, '8 weeks ago'],
    [60, '2 months ago'],
    [364, '12 months ago'],
    [365, '1 year ago'],
    [800, '2 years ago'],
    [3, '3 days ago'],
  ])('of %s days reads %s', (days, text) => expect(longAgo(0, days * DAY + 1)).toBe(text));
});

describe('the highlights that are recalled', () => {
  const at = (id: number, section: number, start: number, more: Partial<Highlight> = {}) =>
    sampleHighlight({ id, place: { state: 'same', section, start, end: start + 5, text: null }, ...more });
  const recalled = (all: Highlight[], section: number) => recalledHighlights(all, section).map(({ id }) => id);

  it('are the last three up to the section of the place, in the order of the text', () => {
    expect(recalled([at(1, 2, 9), at(2, 0, 3), at(3, 1, 50), at(4, 2, 4), at(5, 3, 0)], 2)).toEqual([3, 4, 1]);
    expect(recalled([at(1, 2, 9)], 1)).toEqual([]);
  });

  it('stand where they were made, until the server has found them', () => {
    const anchor = { section: 1, start: 0, end: 5, exact: 'woods', prefix: '', suffix: '' };
    expect(recalled([at(1, 0, 0, { anchor, place: null })], 0)).toEqual([]);
    expect(recalled([at(1, 0, 0, { anchor, place: null })], 1)).toEqual([1]);
  });

  it('are none of those that are gone, that have no words yet, or that are quotes', () => {
    const gone = { state: 'gone', section: null, start: null, end: null, text: null } as const;
    const heard = { anchor: null, heard: { audio: 1 }, place: null };
    expect(recalled([at(1, 0, 0, { place: gone }), at(2, 0, 0, heard), at(3, 0, 0, { part: 'quote' })], 5)).toEqual([]);
  });
});
