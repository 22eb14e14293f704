// The keys of a text with highlights. A page may show two of them: the ideas of an own summary, and its source beside them.
import { isPlainKey } from '@/lib/plainKey';
import { OWN_TEXT } from '@/shared/study/highlights/scrollToMark';

const areaOf = (element: Element | null | undefined): Element | null => element?.closest(OWN_TEXT) ?? null;

/** Where a key is pressed: at the selection, otherwise at the focus. */
function placeOfKeys(): Element | null {
  const selection = window.getSelection();
  const node = selection && !selection.isCollapsed ? selection.anchorNode : null;
  return (node instanceof Element ? node : node?.parentElement) ?? document.activeElement;
}

/** Whether keys are for the text of this reader: not for another one that has the selection or the focus. */
export const hasKeys = (reader: HTMLElement | null): boolean => areaOf(placeOfKeys()) === areaOf(reader);

/** Whether a key is pressed that belongs to nothing else (`isPlainKey`), for the text of this reader. */
export const isTextKey = (reader: HTMLElement | null, event: KeyboardEvent, key: string, withShift = false): boolean =>
  isPlainKey(event, key, withShift, reader?.closest('dialog')) && hasKeys(reader);
