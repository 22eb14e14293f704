import { useEffect, useRef } from 'react';
import type { MouseEvent } from 'react';

/** Duration of a long press, in milliseconds. */
export const LONG_PRESS = 500;

/**
 * Handlers for a control with a second action on long press. A right click or the system's own
 * long press (`contextmenu`) counts too. `wasLong` returns whether a click ends a long press.
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
    /** A click by keyboard (`detail` 0) never ends a long press. */
    wasLong: (event: MouseEvent) => event.detail !== 0 && long.current,
  };
}
