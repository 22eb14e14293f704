import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { isFocusLost } from '@/features/study/highlights/useFocusInList';

/**
 * Moves the focus from the button of a removed entry to that of the entry that takes its position, or to the title after the last
 * one. `buttons`: a selector of the entries' buttons. Call what it returns with the position, before the entry is removed.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, title: RefObject<HTMLElement | null>, buttons: string): (position: number) => void {
  const removed = useRef<{ position: number; count: number } | null>(null);
  const all = () => [...(list.current?.querySelectorAll<HTMLElement>(buttons) ?? [])];
  useLayoutEffect(() => {
    const last = removed.current;
    const left = all();
    if (last === null || left.length === last.count) return;
    removed.current = null;
    if (isFocusLost()) (left[Math.min(last.position, left.length - 1)] ?? title.current)?.focus();
  });
  return (position) => {
    removed.current = { position, count: all().length };
  };
}
