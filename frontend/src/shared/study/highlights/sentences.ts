// The sentences of a section's text, for picking them by key (study.key-selection). The server divides by its own rules, for
// recordings and popular passages: they need not be the same.
import { onFirstUse } from '@/lib/onFirstUse';
import { charsIn } from '@/shared/study/chars';
import type { Passage } from '@/shared/study/highlights/drawHighlights';

/** Abbreviations after which a sentence goes on. */
const GOES_ON = /(?:^|[\s(“"])(?:Mr|Mrs|Ms|Dr|St|vs|e\.g|i\.e)\.\s*$/;

/** Divides a line into parts, each with the white space after it. */
const divider = onFirstUse((): ((line: string) => string[]) => {
  if (!('Segmenter' in Intl)) return (line) => line.match(/.*?[.!?]+[”’"')]*(?:\s+|$)|.+$/gs) ?? [];
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return (line) => Array.from(segmenter.segment(line), ({ segment }) => segment);
});

/** The sentences, in order, without white space at their ends. */
export function sentencesOf(text: string): Passage[] {
  const sentences: Passage[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    let start = at;
    let sentence = '';
    for (const part of divider()(line)) {
      sentence += part;
      if (GOES_ON.test(sentence)) continue;
      const end = start + charsIn(sentence);
      sentences.push(...withoutSpace(sentence, start));
      [start, sentence] = [end, ''];
    }
    sentences.push(...withoutSpace(sentence, start));
    at += charsIn(line) + 1;
  }
  return sentences;
}

/** Where a sentence that begins at `start` is without the white space at its ends; nothing when it has nothing else. */
function withoutSpace(sentence: string, start: number): Passage[] {
  const words = sentence.trim();
  if (words === '') return [];
  const first = start + sentence.length - sentence.trimStart().length;
  return [{ start: first, end: first + charsIn(words) }];
}
