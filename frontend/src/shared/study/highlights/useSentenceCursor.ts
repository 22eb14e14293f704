import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { charsOf } from '@/shared/study/chars';
import { COLORS } from '@/shared/study/colors';
import type { HighlightColor } from '@/shared/study/colors';
import { drawCursor } from '@/shared/study/highlights/drawHighlights';
import type { Passage } from '@/shared/study/highlights/drawHighlights';
import { textIn } from '@/shared/study/highlights/highlightedText';
import { cursorAt, moveCursor, pickedPassage } from '@/shared/study/highlights/sentenceCursor';
import type { CursorStep, SentenceCursor } from '@/shared/study/highlights/sentenceCursor';
import { sentencesOf } from '@/shared/study/highlights/sentences';
import { isTextKey } from '@/shared/study/highlights/textKeys';
import { rangeOf, sectionTextOf } from '@/shared/study/sectionText';

interface Wanted {
  reader: RefObject<HTMLElement | null>;
  /** The section that is shown, and its text on the page. */
  index: number;
  text: string;
  /** The sentences are highlighted: in a color, or in the last one; `isNoting`: a note is to be written. */
  onPick: (passage: Passage, color: HighlightColor | null, isNoting: boolean) => void;
}

/** The keys that move the cursor, and whether Shift is held. */
const STEPS: readonly [key: string, withShift: boolean, step: CursorStep][] = [
  ['arrowdown', false, 'next'],
  ['arrowup', false, 'previous'],
  ['arrowdown', true, 'longer'],
  ['arrowup', true, 'shorter'],
];

/** Where the first sentence that is on the screen begins, in the section's text. */
function firstOnScreen(reader: HTMLElement | null, sentences: readonly Passage[]): number | null {
  const root = textIn(reader);
  if (!root) return null;
  const { pieces } = sectionTextOf(root);
  const top = Math.max(0, reader?.querySelector('.reader__bar, .source-text__bar')?.getBoundingClientRect().bottom ?? 0);
  const shown = sentences.find(({ start, end }) => (rangeOf(pieces, start, end)?.getBoundingClientRect().bottom ?? 0) > top);
  return shown?.start ?? null;
}

/**
 * Picks sentences of the section by key (study.key-selection). Returns the words that are picked, for screen readers; null while
 * nothing is; and what begins it, at the first sentence on the screen.
 */
export function useSentenceCursor({ reader, index, text, onPick }: Wanted): [words: string | null, begin: () => void] {
  const sentences = useMemo(() => sentencesOf(text), [text]);
  const [at, setAt] = useState<{ section: number; cursor: SentenceCursor } | null>(null);
  // Another section is shown: its sentences are others.
  const cursor = at?.section === index ? at.cursor : null;
  const passage = cursor && pickedPassage(sentences, cursor);
  const drawn = useRef(false);

  useLayoutEffect(() => {
    const root = textIn(reader.current);
    if (!root || (!drawn.current && !passage)) return;
    drawCursor(root, passage ? { start: passage.start, end: passage.end } : null);
    drawn.current = passage !== null;
    root.querySelector('mark[data-cursor]')?.scrollIntoView({ block: 'nearest' });
  }, [reader, index, passage?.start, passage?.end]); // eslint-disable-line react-hooks/exhaustive-deps -- the passage is its two ends

  const begin = () => {
    const start = firstOnScreen(reader.current, sentences);
    const found = start === null ? null : cursorAt(sentences, start);
    if (found) setAt({ section: index, cursor: found });
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!cursor || !passage) return;
    const isKey = (key: string, withShift = false) => isTextKey(reader.current, event, key, withShift);
    const step = STEPS.find(([key, withShift]) => isKey(key, withShift));
    const color = COLORS.find((_, number) => isKey(String(number + 1)));
    // A focused link or button has its own Enter.
    const isEnter = isKey('enter') && !(event.target instanceof Element && event.target.closest('a, button'));
    const isNoting = isKey('n');
    if (step) setAt({ section: index, cursor: moveCursor(sentences, cursor, step[2]) });
    else if (color || isEnter || isNoting) {
      setAt(null);
      onPick(passage, color ?? null, isNoting);
    } else if (isKey('escape')) setAt(null);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  return [passage ? charsOf(text, passage.start, passage.end) : null, begin];
}
