import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Pixels of the neighboring link that stay visible, to show that the row continues. */
const BESIDE = 40;

/** How far to scroll a row, in px, so that the span from `left` to `right` is visible; 0 when it already is. */
export function scrollFor(row: { left: number; right: number }, { left, right }: { left: number; right: number }): number {
  const before = left - BESIDE - row.left;
  const after = right + BESIDE - row.right;
  return before < 0 ? before : Math.max(0, Math.min(after, before));
}

/**
 * Keeps the current link of a horizontally scrolling row visible, also when a link before it grew (`changed`).
 * Only the row scrolls, without animation.
 */
export function useScrollToCurrent<E extends HTMLElement>(...changed: readonly unknown[]): RefObject<E | null> {
  const row = useRef<E>(null);
  const key = JSON.stringify(changed);
  useLayoutEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    if (row.current && current) row.current.scrollLeft += scrollFor(row.current.getBoundingClientRect(), current.getBoundingClientRect());
  }, [key]);
  return row;
}
