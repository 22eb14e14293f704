import { useState } from 'react';
import type { Completion } from '@/features/reading-progress/reading/components/CompletionCard';

/** How a summary was completed: the reader scrolled to its end, or pressed Finish (reading-progress.book-completion). */
export type Finish = 'read' | 'pressed';

/** The completion state of the open book. */
export function useCompletion() {
  const [completion, setCompletion] = useState<Completion | null>(null);
  const [finishedAt, setFinishedAt] = useState<number | null>(null);
  const [takesFocus, setTakesFocus] = useState(false);
  const [isPressed, setPressed] = useState(false);
  return {
    /** The state shown in the card; null before completion, and after the card was closed. */
    shown: completion,
    /** The section at which the card is shown; null while the book is not completed on this visit. */
    finishedAt,
    /** Finish was pressed, and the card has not been focused yet. */
    takesFocus,
    /** Finish was pressed, or the card closed: the button has nothing left to do. */
    isPressed,
    /** Handles a press on Finish after the end was read: focuses the card. */
    press: () => {
      setPressed(true);
      setTakesFocus(true);
    },
    hadFocus: () => setTakesFocus(false),
    begin: (by: Finish, at: number) => {
      setFinishedAt(at);
      setTakesFocus(by === 'pressed');
      setPressed(by === 'pressed');
      setCompletion({ state: 'saving' });
    },
    /** Updates the card, unless it was closed. */
    update: setCompletion,
    close: () => {
      setPressed(true);
      setCompletion(null);
    },
  };
}

export type UpdateCompletion = ReturnType<typeof useCompletion>['update'];
