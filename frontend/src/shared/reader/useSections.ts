import { useState } from 'react';
import { addressAt } from '@/shared/reader/position';

/** Why a section is shown. 'read out': the recording advanced to it, and the focus stays where it is. */
export type Turn = 'opened' | 'turned' | 'read out';

/** The section that is shown, and functions to turn to another one. The URL has the section, for reloads and shared links. */
export function useSections(start: number) {
  const [index, setIndex] = useState(start);
  const [turn, setTurn] = useState<Turn>('opened');
  return {
    index,
    turn,
    turnTo: (next: number, isReadOut: boolean) => {
      setIndex(next);
      // The focus moves only when its element is removed with the old section.
      setTurn(isReadOut && !document.activeElement?.closest('.reader__section') ? 'read out' : 'turned');
      // The history keeps one entry per book.
      window.history.replaceState(window.history.state, '', addressAt(window.location, next));
    },
  };
}
