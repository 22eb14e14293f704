// Hidden words of a highlight, which its review card asks for (study.card-questions). Positions are in Unicode characters. The
// server checks the same: something is hidden, and a word is left to go by.
import { charsIn } from '@/shared/study/chars';
import type { Blank } from '@/shared/study/records';

/** A word without the punctuation around it. */
export interface Word extends Blank {
  text: string;
}

/** Letters and digits, also joined by an apostrophe, a hyphen or a point: 'don’t', 'self-reliance', '1.5'. */
const WORD = /[\p{Alphabetic}\p{N}][\p{Alphabetic}\p{N}\p{M}]*(?:[’'.‐‑-][\p{Alphabetic}\p{N}][\p{Alphabetic}\p{N}\p{M}]*)*/gu;

/** Words that say little by themselves: another one is chosen to be hidden. */
const COMMON = new Set(
  (
    'a about after all also an and another any are as at be because been before but by can could did do does each even for from had has ' +
    'have he her his how if in into is it its more most much must no not of on one only or other our out over own same she should so some such ' +
    'than that the their them then there these they this those through to too under until up upon us very was we were what when where which ' +
    'while who whom whose why will with within without would you your'
  ).split(' '),
);

/** The words of a text, in order. */
export function wordsIn(text: string): Word[] {
  let [units, chars] = [0, 0];
  return Array.from(text.matchAll(WORD), (match) => {
    chars += charsIn(text.slice(units, match.index));
    units = match.index + match[0].length;
    const start = chars;
    chars += charsIn(match[0]);
    return { text: match[0], start, end: chars };
  });
}

/** Whether a text can have a hidden word: another one has to be left. */
export const canHide = (text: string): boolean => wordsIn(text).length > 1;

/** The word to hide that is offered first: the longest that is not a common one; null where nothing can be hidden. */
export function wordToHide(text: string): Word | null {
  const words = wordsIn(text);
  if (words.length < 2) return null;
  const telling = words.filter((word) => !COMMON.has(word.text.toLowerCase().replaceAll('’', "'")));
  const [first, ...others] = telling.length > 0 ? telling : words;
  return others.reduce((longest, word) => (word.end - word.start > longest.end - longest.start ? word : longest), first as Word);
}

export type BlanksError = 'none' | 'all';

/** Why these words can't be hidden: it is none, or no other word is left; null when they can. */
export function blanksError(text: string, blanks: readonly Blank[]): BlanksError | null {
  if (blanks.length === 0) return 'none';
  const isHidden = (word: Word) => blanks.some(({ start, end }) => word.start >= start && word.end <= end);
  return wordsIn(text).every(isHidden) ? 'all' : null;
}
