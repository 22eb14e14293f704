import { useEffect, useRef } from 'react';
import type { MouseEvent } from 'react';

/** Milliseconds after which a press is a long one. */
export const LONG_PRESS = 500;

/**
 * Handlers for a control that a long press uses in another way. A press of the second mouse button, or the system's own
 * long press, counts as one (`contextmenu`). `wasLong` says whether a click ends a long press.
 */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const long = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const begin = () => {
    if (long.current) return;
    long.current = true;
    onLongPress();
  };
  const cancel = () => clearTimeout(timer.current);
  return {
    onPointerDown: () => {
      long.current = false;
      cancel();
      timer.current = setTimeout(begin, LONG_PRESS);
    },
    onPointerUp: cancel,
    onPointerLeave: cancel,
    onPointerCancel: cancel,
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      cancel();
      begin();
    },
    /** A click by the keyboard (`detail` 0) is never the end of a press. */
    wasLong: (event: MouseEvent) => event.detail !== 0 && long.current,
  };
}
