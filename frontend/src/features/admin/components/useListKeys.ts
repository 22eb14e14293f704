import { useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea'));

/**
 * Single-key shortcuts of a list page, wherever the focus is, except while typing or while a dialog is open. `onKey`
 * returns whether it handled the key (admin.keyboard-shortcuts). Keys that a row handles itself do not get here.
 */
export function useListKeys(onKey: (key: string) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (onKey(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handle(event);
    // After the page's own handlers, but before the site's handlers on the document: here '/' focuses the list's search.
    document.body.addEventListener('keydown', onKeyDown);
    return () => document.body.removeEventListener('keydown', onKeyDown);
  }, []);
}
