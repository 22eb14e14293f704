// The text of an own summary's source, and where its paragraphs are in it.
import { charsIn } from '@/shared/study/chars';
import { sourceText } from '@/shared/study/sourceText';

type Paragraphs = readonly { text: string }[];

export interface CountedSource {
  text: string;
  /** Where each paragraph begins, in characters of the text. */
  starts: readonly number[];
}

/** A source may have a million characters: they are counted once. */
const known = new WeakMap<Paragraphs, CountedSource>();

export function countedSource(paragraphs: Paragraphs): CountedSource {
  const found = known.get(paragraphs);
  if (found) return found;
  const texts = paragraphs.map(({ text }) => sourceText(text));
  let next = 0;
  const starts = texts.map((text) => {
    const start = next;
    next += charsIn(text) + 1;
    return start;
  });
  const counted = { text: texts.join('\n'), starts };
  known.set(paragraphs, counted);
  return counted;
}
