import { useState } from 'react';
import { addressAt } from '@/shared/reader/position';

/** How a section came to be shown. 'read out': the recording went on to it, and the focus stays where it is. */
export type Turn = 'opened' | 'turned' | 'read out';

/** The section that is shown, and turning to another one. The section stands in the address, for a reload or a shared link. */
export function useSections(start: number) {
  const [index, setIndex] = useState(start);
  const [turn, setTurn] = useState<Turn>('opened');
  return {
    index,
    turn,
    turnTo: (next: number, isReadOut: boolean) => {
      setIndex(next);
      // The focus goes along only when it would be lost with the section that goes.
      setTurn(isReadOut && !document.activeElement?.closest('.reader__section') ? 'read out' : 'turned');
      // The history keeps one entry for the book.
      window.history.replaceState(window.history.state, '', addressAt(window.location, next));
    },
  };
}
