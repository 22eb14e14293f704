import { isFocusLost } from '@/features/study/highlights/useFocusInList';

/** How long an element is waited for, in milliseconds. */
const WAIT = 3_000;

/**
 * Moves the focus to what an Undo brings back, as soon as it is shown. Call it when the Undo is pressed: the toast had the focus and is
 * removed. A focus that is elsewhere stays there. It is no hook, because an Undo may be pressed on another page than the one that offered it.
 */
export function focusReturned(find: () => HTMLElement | null | undefined): void {
  const end = performance.now() + WAIT;
  requestAnimationFrame(function look() {
    if (!isFocusLost()) return;
    const element = find();
    if (element) element.focus();
    else if (performance.now() < end) requestAnimationFrame(look);
  });
}
