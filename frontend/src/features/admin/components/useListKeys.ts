import { useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea'));

/**
 * The single keys of a list page, from its first moment on, wherever the focus is; not while somebody types or a dialog is open. `onKey`
 * says whether it handled the key (admin.keyboard-shortcuts). What a row handles itself does not arrive here.
 */
export function useListKeys(onKey: (key: string) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (onKey(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handle(event);
    // After the page's own handlers, before the site's on the document: '/' is the list's search here.
    document.body.addEventListener('keydown', onKeyDown);
    return () => document.body.removeEventListener('keydown', onKeyDown);
  }, []);
}
