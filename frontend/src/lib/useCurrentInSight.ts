import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** What of a neighbour is shown at the least, so that the row is seen to go on. */
const BESIDE = 40;

/** How far a row has to be scrolled so that what stands from `left` to `right` is in it; 0 when it is. All in pixels of the screen. */
export function scrollFor(row: { left: number; right: number }, { left, right }: { left: number; right: number }): number {
  const before = left - BESIDE - row.left;
  const after = right + BESIDE - row.right;
  return before < 0 ? before : Math.max(0, Math.min(after, before));
}

/**
 * For a row that scrolls sideways: the current one of its links is in sight, also when something before it grew (`changed`).
 * Nothing but the row moves, and it moves at once.
 */
export function useCurrentInSight<E extends HTMLElement>(...changed: readonly unknown[]): RefObject<E | null> {
  const row = useRef<E>(null);
  const key = JSON.stringify(changed);
  useLayoutEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    if (row.current && current) row.current.scrollLeft += scrollFor(row.current.getBoundingClientRect(), current.getBoundingClientRect());
  }, [key]);
  return row;
}
