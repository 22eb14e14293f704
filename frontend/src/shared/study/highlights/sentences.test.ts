import { afterEach, describe, expect, it, vi } from 'vitest';
import { QUOTE_MAX_CHARS } from '@/shared/study/anchors';
import { charsOf } from '@/shared/study/chars';
import { cursorAt, moveCursor, pickedPassage } from '@/shared/study/highlights/sentenceCursor';
import type * as Sentences from '@/shared/study/highlights/sentences';
import { stack } from '@/shared/study/highlights/stack';
import { forAll } from '@test/random';

/** Divides texts, in a browser that has its own division or has none. */
async function dividerOf(how: string): Promise<(text: string) => string[]> {
  if (how === 'without') vi.stubGlobal('Intl', {});
  vi.resetModules();
  const { sentencesOf }: typeof Sentences = await import('@/shared/study/highlights/sentences');
  return (text) => sentencesOf(text).map(({ start, end }) => charsOf(text, start, end));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(['with', 'without'])('sentences, %s the browser’s division', (how) => {
  it('end at their marks and at the ends of paragraphs', async () => {
    const divided = await dividerOf(how);
    expect(divided('One 🌲. Two? “Three!” Four\nFive. \n\n Six')).toEqual(['One 🌲.', 'Two?', '“Three!”', 'Four', 'Five.', 'Six']);
    expect(divided('')).toEqual([]);
    expect(divided(' \n ')).toEqual([]);
  });

  it('go on after an abbreviation', async () => {
    const divided = await dividerOf(how);
    expect(divided('Mr. Thoreau met Dr. Channing. They spoke, e.g. Of beans. At St. Ives.')).toEqual([
      'Mr. Thoreau met Dr. Channing.',
      'They spoke, e.g. Of beans.',
      'At St. Ives.',
    ]);
    expect(divided('It was Mr.\nThen.')).toEqual(['It was Mr.', 'Then.']);
  });

  it('have all the words of a text, in order', async () => {
    const divided = await dividerOf(how);
    forAll(200, (random) => {
      const text = random.list(random.int(0, 40), () => random.pick(['word', ' ', '. ', '? ', '\n', '🌲', 'Mr. ', '”', '…', '.'])).join('');
      const all = divided(text);
      expect(all.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      expect(all.every((sentence) => sentence === sentence.trim() && sentence !== '' && !sentence.includes('\n'))).toBe(true);
    });
  });
});

describe('picking sentences by key', () => {
  const sentences = [
    { start: 0, end: 10 },
    { start: 11, end: 20 },
    { start: 21, end: 30 },
  ];

  it('moves by a sentence, and stays at the ends', () => {
    expect(moveCursor(sentences, { first: 0, last: 0 }, 'next')).toEqual({ first: 1, last: 1 });
    expect(moveCursor(sentences, { first: 2, last: 2 }, 'next')).toEqual({ first: 2, last: 2 });
    expect(moveCursor(sentences, { first: 1, last: 1 }, 'previous')).toEqual({ first: 0, last: 0 });
    expect(moveCursor(sentences, { first: 0, last: 0 }, 'previous')).toEqual({ first: 0, last: 0 });
  });

  it('moves on from the ends of several', () => {
    expect(moveCursor(sentences, { first: 0, last: 1 }, 'next')).toEqual({ first: 2, last: 2 });
    expect(moveCursor(sentences, { first: 1, last: 2 }, 'previous')).toEqual({ first: 0, last: 0 });
    expect(moveCursor(sentences, { first: 1, last: 2 }, 'next')).toEqual({ first: 1, last: 2 });
  });

  it('adds sentences and takes them away, but not the first one', () => {
    expect(moveCursor(sentences, { first: 0, last: 0 }, 'longer')).toEqual({ first: 0, last: 1 });
    expect(moveCursor(sentences, { first: 0, last: 2 }, 'longer')).toEqual({ first: 0, last: 2 });
    expect(moveCursor(sentences, { first: 0, last: 1 }, 'shorter')).toEqual({ first: 0, last: 0 });
    expect(moveCursor(sentences, { first: 1, last: 1 }, 'shorter')).toEqual({ first: 1, last: 1 });
  });

  it('adds none with which the highlight would be too long', () => {
    const long = [sentences[0] ?? { start: 0, end: 10 }, { start: 11, end: QUOTE_MAX_CHARS + 1 }];
    expect(moveCursor(long, { first: 0, last: 0 }, 'longer')).toEqual({ first: 0, last: 0 });
    expect(moveCursor(long, { first: 0, last: 0 }, 'next')).toEqual({ first: 1, last: 1 });
  });

  it('picks the text from the first to the last sentence', () => {
    expect(pickedPassage(sentences, { first: 0, last: 1 })).toEqual({ start: 0, end: 20 });
    expect(pickedPassage([], { first: 0, last: 0 })).toBeNull();
  });

  it('begins at the sentence at a position, or at the next one', () => {
    expect([cursorAt(sentences, 0), cursorAt(sentences, 10), cursorAt(sentences, 25), cursorAt(sentences, 30)]).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 1 },
      { first: 2, last: 2 },
      null,
    ]);
  });
});

describe('notes in the margin', () => {
  it('stand beside their passage, or below the note before', () => {
    expect(stack([10, 20, 200], [40, 40, 40], 8)).toEqual([10, 58, 200]);
    expect(stack([0, 0, 0], [10, 20, 5], 4)).toEqual([0, 14, 38]);
    expect(stack([], [], 8)).toEqual([]);
  });

  it('never overlap, and none is above its passage', () => {
    forAll(200, (random) => {
      const tops = random.list(random.int(0, 8), () => random.int(0, 500)).sort((a, b) => a - b);
      const heights = tops.map(() => random.int(20, 90));
      const at = stack(tops, heights, 8);
      for (const [index, top] of at.entries()) {
        expect(top).toBeGreaterThanOrEqual(tops[index] ?? 0);
        if (index > 0) expect(top - (at[index - 1] ?? 0) - (heights[index - 1] ?? 0)).toBeGreaterThanOrEqual(8);
      }
    });
  });
});
