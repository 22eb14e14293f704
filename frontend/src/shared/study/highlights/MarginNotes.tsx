import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { marksOf } from '@/shared/study/highlights/drawHighlights';
import { textIn } from '@/shared/study/highlights/highlightedText';
import { stack } from '@/shared/study/highlights/stack';
import type { Highlight } from '@/shared/study/records';

/** The space between two notes, and the width that notes need beside the text, in pixels. */
const GAP = 8;
const WIDTH_NEEDED = 224;

interface Props {
  reader: RefObject<HTMLElement | null>;
  /** The highlights of the section with a note, in the order of the text. */
  noted: readonly Highlight[];
  onOpen: (id: number) => void;
}

/** The notes of the section in the margin, each beside its passage, where there is room; elsewhere a press on the passage shows it. */
export function MarginNotes({ reader, noted, onOpen }: Props) {
  const aside = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const text = textIn(reader.current);
    const element = aside.current;
    if (!text || !element) return;
    const place = () => {
      const { right, width } = text.getBoundingClientRect();
      element.hidden = width === 0 || document.documentElement.clientWidth - right < WIDTH_NEEDED;
      if (element.hidden) return;
      const parent = element.offsetParent?.getBoundingClientRect();
      const [left, top] = [parent?.left ?? 0, parent?.top ?? 0];
      element.style.insetInlineStart = `${right - left}px`;
      const notes = [...element.querySelectorAll<HTMLElement>('button')];
      const tops = noted.map(({ id }) => (marksOf(text, id)[0]?.getBoundingClientRect().top ?? top) - top);
      const places = stack(
        tops,
        notes.map(({ offsetHeight }) => offsetHeight),
        GAP,
      );
      for (const [number, note] of notes.entries()) note.style.insetBlockStart = `${places[number] ?? 0}px`;
    };
    place();
    // The size and the face of the type move the passages.
    const observer = new ResizeObserver(place);
    observer.observe(text);
    window.addEventListener('resize', place);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', place);
    };
  }, [reader, noted]);

  const light = (id: number, isLit: boolean) => {
    const text = textIn(reader.current);
    for (const mark of text ? marksOf(text, id) : []) mark.classList.toggle('highlight--lit', isLit);
  };
  return (
    <aside ref={aside} className="margin-notes" aria-label="Notes">
      {noted.map(({ id, note, color }) => (
        <button
          key={id}
          type="button"
          className={`margin-note margin-note--${color.value}`}
          aria-label={`Your note: ${note.value}`}
          onClick={() => onOpen(id)}
          onPointerEnter={() => light(id, true)}
          onPointerLeave={() => light(id, false)}
          onFocus={() => light(id, true)}
          onBlur={() => light(id, false)}
        >
          <span className="margin-note__text">{note.value}</span>
        </button>
      ))}
    </aside>
  );
}
