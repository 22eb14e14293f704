// The sentences of a section's text, for picking them by key (study.key-selection). The server divides by its own rules, for
// recordings and popular passages: they need not be the same.
import { onFirstUse } from '@/lib/onFirstUse';
import { charsIn } from '@/shared/study/anchors';
import type { Passage } from '@/shared/study/highlights/drawHighlights';
import { trimmed } from '@/shared/study/highlights/selection';

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
      sentences.push({ start, end });
      [start, sentence] = [end, ''];
    }
    if (sentence !== '') sentences.push({ start, end: start + charsIn(sentence) });
    at += charsIn(line) + 1;
  }
  return sentences.map((one) => trimmed(text, one)).filter((one) => one !== null);
}
