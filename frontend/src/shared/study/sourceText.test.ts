import { describe, expect, it } from 'vitest';
import { countedSource } from '@/shared/study/countedSource';
import { positionInSource, sourceText } from '@/shared/study/sourceText';
import cases from '@/shared/study/source_texts.json';
import { forAll } from '@test/random';

describe('the text of a source', () => {
  it.each(cases)('is the server’s: $name', ({ source, text }) => expect(sourceText(source)).toBe(text));

  it.each(cases)('is that of its paragraphs, which begin where their words do: $name', ({ paragraphs, text }) => {
    const counted = countedSource(paragraphs.map((one) => ({ text: one })));
    expect(counted.text).toBe(text);
    const characters = Array.from(text);
    const words = paragraphs.map(sourceText);
    expect(counted.starts.map((start, i) => characters.slice(start, start + Array.from(words[i] ?? '').length).join(''))).toEqual(words);
  });

  it.each(cases)('does not change when it is taken again: $name', ({ text }) => expect(sourceText(text)).toBe(text));
});

describe('a position of a source', () => {
  it.each([
    ['of a word', 'One  two', 5, 4],
    ['after a word', 'One  two', 3, 3],
    ['between two words', 'One  two', 4, 4],
    ['before the first word', '\n One', 1, 0],
    ['after the last word', 'One \n', 5, 3],
    ['of a line', 'One.\n\n two', 7, 5],
    ['before the text', 'One', -4, 0],
    ['behind the text', 'One ', 40, 3],
  ])('%s is the same in its text', (_, text, at, place) => expect(positionInSource(text, at)).toBe(place));

  it('of each character that is no white space is that of the character', () => {
    forAll(200, (random) => {
      const text = random.list(random.int(0, 12), () => random.pick(['One', ' ', '\n', '🌲', '\u00a0', 'é', '. '])).join('');
      const shown = sourceText(text);
      let at = 0;
      for (const character of text) {
        const place = positionInSource(text, at);
        if (!/\p{White_Space}/u.test(character)) expect(shown.slice(place, place + character.length)).toBe(character);
        at += character.length;
      }
    });
  });
});
