import { describe, expect, it } from 'vitest';
import { blanksError, canHide, wordToHide, wordsIn } from '@/shared/study/cloze';
import { clozeOf } from '@/shared/study/clozeParts';
import { charsOf } from '@/shared/study/chars';

describe('the words of a text', () => {
  it('have no punctuation around them', () => {
    const text = '“I went,” he said—to the woods (1854).';
    expect(wordsIn(text).map((word) => word.text)).toEqual(['I', 'went', 'he', 'said', 'to', 'the', 'woods', '1854']);
    for (const word of wordsIn(text)) expect(charsOf(text, word.start, word.end)).toBe(word.text);
  });

  it('may have an apostrophe, a hyphen or a point inside', () => {
    expect(wordsIn("don’t isn't self-reliance 1.5 end.").map((word) => word.text)).toEqual(['don’t', "isn't", 'self-reliance', '1.5', 'end']);
  });

  it('are counted in characters', () => {
    expect(wordsIn('🐳 whale 🐳🐳 é')).toEqual([
      { text: 'whale', start: 2, end: 7 },
      { text: 'é', start: 11, end: 12 },
    ]);
    expect(wordsIn('— … !')).toEqual([]);
  });
});

describe('the word that is offered first', () => {
  it.each([
    ['I went to the woods because I wished to live deliberately.', 'deliberately'],
    // A common word is longer.
    ['Then the fox went through without another', 'went'],
    // Of two as long the first.
    ['Simplify, simplify.', 'Simplify'],
    // Only common words.
    ['To be or not to be', 'not'],
  ])('of %j is %j', (text, word) => {
    expect(wordToHide(text)?.text).toBe(word);
  });

  it('does not exist where no other word would be left', () => {
    expect(wordToHide('Simplify.')).toBeNull();
    expect(wordToHide('…')).toBeNull();
    expect([canHide('Simplify.'), canHide('Be one.')]).toEqual([false, true]);
  });
});

describe('hidden words', () => {
  const text = 'A wise mán.';

  it('are at least one, and not all', () => {
    expect(blanksError(text, [])).toBe('none');
    expect(blanksError(text, [{ start: 2, end: 6 }])).toBeNull();
    expect(blanksError(text, [{ start: 0, end: 10 }])).toBe('all');
    expect(blanksError(text, wordsIn(text))).toBe('all');
  });

  it('divide the text', () => {
    expect(
      clozeOf(text, [
        { start: 7, end: 10 },
        { start: 2, end: 6 },
      ]),
    ).toEqual([
      { text: 'A ', isHidden: false },
      { text: 'wise', isHidden: true },
      { text: ' ', isHidden: false },
      { text: 'mán', isHidden: true },
      { text: '.', isHidden: false },
    ]);
    expect(clozeOf('', [])).toEqual([]);
  });

  it('that are not in the text, or overlap, hide nothing', () => {
    const blanks = [
      { start: 2, end: 6 },
      { start: 4, end: 8 },
      { start: 9, end: 99 },
      { start: 8, end: 8 },
    ];
    expect(clozeOf(text, blanks).filter(({ isHidden }) => isHidden)).toEqual([{ text: 'wise', isHidden: true }]);
  });
});
