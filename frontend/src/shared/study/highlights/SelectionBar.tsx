import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { COLORS, COLOR_NAMES } from '@/shared/study/colors';
import type { HighlightColor } from '@/shared/study/colors';
import { isTooLong } from '@/shared/study/highlights/selection';
import { isTextKey } from '@/shared/study/highlights/textKeys';
import type { Selected } from '@/shared/study/highlights/useSelectedPassage';
import { IconButton } from '@/ui/IconButton';

interface Props {
  reader: RefObject<HTMLElement | null>;
  selected: Selected;
  onColor: (color: HighlightColor) => void;
  onNote: () => void;
  onCopy: () => void;
  onClose: () => void;
}

/** The space between the selection and the bar, and between the bar and the window, in pixels. */
const GAP = 10;

/** What can be done with selected text: above its first line, below it where there is no room, at the bottom of the screen for touch. */
export function SelectionBar({ reader, selected, onColor, onNote, onCopy, onClose }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const { first, last, isTouch, passage } = selected;
  const tooLong = isTooLong(passage);

  useLayoutEffect(() => {
    const element = bar.current;
    if (!element || isTouch) return;
    const { width, height } = element.getBoundingClientRect();
    const middle = (first.left + Math.min(first.right, last.right)) / 2;
    const left = Math.min(Math.max(middle - width / 2, GAP), window.innerWidth - width - GAP);
    const above = first.top - height - GAP;
    const header = 64;
    element.style.left = `${Math.max(left, GAP)}px`;
    element.style.top = `${above >= header ? above : Math.min(last.bottom + GAP, window.innerHeight - height - GAP)}px`;
  }, [first, last, isTouch]);

  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isKey = (key: string) => isTextKey(reader.current, event, key);
    const color = COLORS.find((_, index) => isKey(String(index + 1)));
    if (color && !tooLong) onColor(color);
    else if (isKey('n') && !tooLong) onNote();
    else if (isKey('escape')) onClose();
    else return;
    event.preventDefault();
  });
  // Before the bar is seen: its keys work from then on.
  useLayoutEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  return (
    <div
      ref={bar}
      className={`selection-bar${isTouch ? ' selection-bar--touch' : ''}`}
      role="toolbar"
      aria-label="Highlight the selected text"
      // The selection stays while a button is pressed.
      onPointerDown={(event) => event.preventDefault()}
      onKeyDown={moveFocus}
    >
      {tooLong ? (
        <p className="selection-bar__text">Please select at most 2,000 characters.</p>
      ) : (
        <>
          {COLORS.map((color, index) => (
            <button
              key={color}
              type="button"
              className="selection-bar__color"
              aria-label={COLOR_NAMES[color]}
              title={`${COLOR_NAMES[color]} (${index + 1})`}
              aria-keyshortcuts={String(index + 1)}
              tabIndex={index === 0 ? 0 : -1}
              onClick={() => onColor(color)}
            >
              <span className={`swatch swatch--${color}`} aria-hidden="true">
                a
              </span>
            </button>
          ))}
          <IconButton icon="note" label="Note" aria-keyshortcuts="N" tabIndex={-1} onClick={onNote} />
        </>
      )}
      <IconButton icon="copy" label="Copy" tabIndex={tooLong ? 0 : -1} onClick={onCopy} />
    </div>
  );
}

/** Arrow keys move the focus among the buttons of a toolbar. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
