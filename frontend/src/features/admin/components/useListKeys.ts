import { useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea'));

/**
 * Single-key shortcuts of a list page, wherever the focus is, except while typing or while a dialog is open. `onKey`
 * returns whether it handled the key (admin.keyboard-shortcuts). Keys that a row handles itself do not get here, and those of the
 * `frame` around all pages come after those of the page, whichever of them is there first.
 */
export function useListKeys(onKey: (key: string) => boolean, of: 'page' | 'frame' = 'page'): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (onKey(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handle(event);
    // After the page's own handlers, but before the site's handlers on the document: here '/' focuses the list's search.
    const target = of === 'page' ? document.body : document;
    target.addEventListener('keydown', onKeyDown as EventListener);
    return () => target.removeEventListener('keydown', onKeyDown as EventListener);
  }, [of]);
}
