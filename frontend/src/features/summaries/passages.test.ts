import { describe, expect, it } from 'vitest';
import { citedText, languageTag, paragraphAt, quotationsOf, segmentsOf, shownSegments, wordsOf } from '@/features/summaries/passages';

const PARAGRAPHS = [
  { start: 0, text: 'Simplicity', heading: true },
  { start: 12, text: 'Été 🌲 first.\nSecond one.', heading: false },
  { start: 38, text: 'Third.', heading: false },
];

describe('passages of a source', () => {
  it('are cut out of their paragraphs, as one line', () => {
    expect(wordsOf(PARAGRAPHS, { start: 12, end: 25 })).toBe('Été 🌲 first.');
    expect(wordsOf(PARAGRAPHS, { start: 12, end: 44 })).toBe('Été 🌲 first. Second one. Third.');
  });

  it('mark the idea’s text where it repeats them, and the rest is told apart', () => {
    const idea = {
      text: 'Été 🌲 first. In other words.',
      passages: [
        { start: 12, end: 25 },
        { start: 38, end: 44 },
      ],
    };
    expect(citedText(idea, PARAGRAPHS)).toEqual({
      pieces: [
        { text: 'Été 🌲 first.', passage: 0 },
        { text: ' In other words.', passage: null },
      ],
      rest: [1],
    });
    expect(
      quotationsOf(
        {
          text: idea.text,
          quotations: [
            { start: 12, end: 25 },
            { start: 38, end: 44 },
          ],
        },
        PARAGRAPHS,
      ),
    ).toEqual(['Third.']);
  });

  it('cut a paragraph into marked and unmarked parts, also where they overlap', () => {
    const paragraph = { start: 10, text: 'abcdefgh', heading: false };
    const joined = segmentsOf(paragraph, [
      { start: 11, end: 14 },
      { start: 13, end: 16 },
      { start: 90, end: 95 },
    ]);
    expect(joined).toEqual([
      { text: 'a', passage: null },
      { text: 'bcd', passage: 0 },
      { text: 'ef', passage: 1 },
      { text: 'gh', passage: null },
    ]);
    expect(joined.map(({ text }) => text).join('')).toBe(paragraph.text);
  });

  it('keep their words when the paragraph is shown without extra white space', () => {
    const paragraph = { start: 10, text: '\n \nSimplify,  simplify. \n\nOur 🌲\u00a0 life. ', heading: false };
    const at = (words: string) => 10 + paragraph.text.indexOf(words);
    const segments = shownSegments(paragraph, [
      { start: at('Simplify'), end: at('simplify') + 'simplify.'.length },
      { start: at('🌲'), end: at('life') + 'life.'.length },
      { start: 200, end: 210 },
    ]);
    expect(segments).toEqual([
      { text: 'Simplify, simplify.', passage: 0 },
      { text: '\nOur ', passage: null },
      { text: '🌲 life.', passage: 1 },
    ]);
    expect(shownSegments(paragraph, []).map(({ text }) => text)).toEqual(['Simplify, simplify.\nOur 🌲 life.']);
  });

  it('are found by their offset; a language’s code becomes its tag', () => {
    expect([0, 12, 37, 38, 99].map((offset) => paragraphAt(PARAGRAPHS, offset))).toEqual([0, 1, 1, 2, 2]);
    expect([languageTag('eng'), languageTag('?'), languageTag(undefined)]).toEqual(['en', undefined, undefined]);
  });
});
