import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

type ButtonName = 'edit' | 'delete';
/** By position in the list, or by highlight. */
type Target = { position: number; button: ButtonName } | { id: number };

const entriesIn = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>('[data-highlight]') ?? [])];
const positionOf = (list: HTMLElement | null, id: number): number => entriesIn(list).findIndex(({ dataset }) => dataset['highlight'] === String(id));
const buttonOf = (entry: HTMLElement | undefined, button: ButtonName) => entry?.querySelector<HTMLElement>(`.highlight-entry__${button}`) ?? null;

/** The focused element was removed. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * Keeps the focus in a list from which highlights are deleted, or drop out because a change no longer matches the filters: the one
 * that takes the position has it then. `title` has it after the last one. `isOpen`: a highlight's sheet has it now.
 */
export function useFocusInList(list: RefObject<HTMLElement | null>, title: RefObject<HTMLElement | null>, isOpen: boolean) {
  const target = useRef<Target | null>(null);
  /** The element that took the focus of a deleted highlight. */
  const heir = useRef<HTMLElement | null>(null);
  // A layout effect: a pending effect of an earlier render would run after the press, before the list is rendered without the element.
  useLayoutEffect(() => {
    const wanted = target.current;
    if (wanted === null || isOpen) return;
    target.current = null;
    if (!isFocusLost() && document.activeElement !== heir.current) return;
    const entries = entriesIn(list.current);
    const position = 'id' in wanted ? positionOf(list.current, wanted.id) : Math.min(Math.max(0, wanted.position), entries.length - 1);
    const button = buttonOf(entries[position], 'id' in wanted ? 'edit' : wanted.button);
    heir.current = button ?? title.current;
    heir.current?.focus();
  });
  return {
    /** Call before a sheet is opened. */
    onOpen: (id: number) => {
      target.current = { position: positionOf(list.current, id), button: 'edit' };
    },
    /** Call before a highlight is removed by its button. */
    onRemove: (id: number) => {
      target.current = { position: positionOf(list.current, id), button: 'delete' };
    },
    /** Call before a deleted highlight is brought back. */
    onReturn: (id: number) => {
      target.current = { id };
    },
  };
}
