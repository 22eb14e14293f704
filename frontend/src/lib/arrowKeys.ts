// Arrow keys that turn pages: the sections of a book, the pictures of a carousel.

/** The step of an arrow key; null when the key belongs to something else (a field, a dialog, a shortcut). */
export function arrowKeyStep(event: KeyboardEvent): -1 | 1 | null {
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return null;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable], dialog, [role="slider"]')) return null;
  if (document.querySelector('dialog[open]')) return null;
  return event.key === 'ArrowRight' ? 1 : -1;
}
