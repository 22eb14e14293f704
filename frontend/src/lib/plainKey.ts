/**
 * Whether a key is pressed that belongs to nothing else: with Shift or without, but with no other modifier, and not in a field or while a
 * dialog is open. `dialog`: the one that the key is for; it is the only one that may be open.
 */
export function isPlainKey(event: KeyboardEvent, key: string, withShift = false, dialog: Element | null = null): boolean {
  if (event.key.toLowerCase() !== key || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey !== withShift) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable], [role="slider"]')) return false;
  return [...document.querySelectorAll('dialog[open]')].every((open) => open === dialog);
}
