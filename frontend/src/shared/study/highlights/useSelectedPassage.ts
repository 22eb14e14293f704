import { useCallback, useEffect, useState } from 'react';
import type { RefObject } from 'react';
import type { Passage } from '@/shared/study/highlights/drawHighlights';
import { textIn } from '@/shared/study/highlights/highlightedText';
import { selectedPassage } from '@/shared/study/highlights/selection';
import { sectionTextOf } from '@/shared/study/sectionText';

export interface Selected {
  passage: Passage;
  /** Where the selection is in the window: its first line, and its last. */
  first: DOMRect;
  last: DOMRect;
  /** Selected by touch: the browser shows its own menu beside the selection. */
  isTouch: boolean;
}

/** How long a selection by touch has to stay as it is, in milliseconds: its handles are dragged. */
const SETTLED = 300;

/** What is selected in the section's text on the page now. */
export function selectedIn(reader: HTMLElement | null, isTouch: boolean): Selected | null {
  const text = textIn(reader);
  const selection = window.getSelection();
  if (!text || !selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const passage = range.intersectsNode(text) ? selectedPassage(sectionTextOf(text), range) : null;
  const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
  const [first, last] = [rects[0], rects.at(-1)];
  return passage && first && last ? { passage, first, last, isTouch } : null;
}

/** What is selected in the section's text by mouse, touch or keyboard, once the selection has ended; and how to end it. */
export function useSelectedPassage(reader: RefObject<HTMLElement | null>): [Selected | null, () => void] {
  const [selected, setSelected] = useState<Selected | null>(null);
  const clear = useCallback(() => {
    window.getSelection()?.removeAllRanges();
    setSelected(null);
  }, []);
  useEffect(() => {
    let isDown = false;
    // The first selection is made before there is a listener.
    let isTouch = matchMedia('(pointer: coarse)').matches;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => setSelected(selectedIn(reader.current, isTouch));
    const readLater = (wait: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isDown) read();
      }, wait);
    };
    const down = (event: PointerEvent) => {
      isDown = true;
      isTouch = event.pointerType === 'touch';
    };
    const up = () => {
      isDown = false;
      // After the browser has changed the selection: a press collapses it.
      readLater(isTouch ? SETTLED : 0);
    };
    const change = () => {
      if (window.getSelection()?.isCollapsed !== false) {
        clearTimeout(timer);
        setSelected(null);
      } else if (!isDown) readLater(SETTLED);
    };
    // A selection by touch is scrolled and dragged under the finger; the pointer is cancelled then.
    document.addEventListener('pointerdown', down);
    document.addEventListener('pointerup', up);
    document.addEventListener('pointercancel', up);
    document.addEventListener('selectionchange', change);
    // Not in the middle of a drag, which may scroll.
    const move = () => {
      if (!isDown) read();
    };
    // Also of a column or a dialog that has the text.
    window.addEventListener('scroll', move, { passive: true, capture: true });
    window.addEventListener('resize', move);
    read();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', down);
      document.removeEventListener('pointerup', up);
      document.removeEventListener('pointercancel', up);
      document.removeEventListener('selectionchange', change);
      window.removeEventListener('scroll', move, { capture: true });
      window.removeEventListener('resize', move);
    };
  }, [reader]);
  return [selected, clear];
}
