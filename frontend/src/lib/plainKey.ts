/** Whether a key is pressed that belongs to nothing else: with Shift or without, but with no other modifier, and not in a field or while a dialog is open. */
export function isPlainKey(event: KeyboardEvent, key: string, withShift = false): boolean {
  if (event.key.toLowerCase() !== key || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey !== withShift) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable], dialog, [role="slider"]')) return false;
  return document.querySelector('dialog[open]') === null;
}
