import { useState } from 'react';
import type { Completion } from '@/features/reading-progress/reading/components/CompletionCard';

/** How a summary was finished: its end came on screen by reading, or Finish was pressed (reading-progress.book-completion). */
export type Finish = 'read' | 'pressed';

/** The completion of the book that is open. */
export function useCompletion() {
  const [completion, setCompletion] = useState<Completion | null>(null);
  const [finishedAt, setFinishedAt] = useState<number | null>(null);
  const [takesFocus, setTakesFocus] = useState(false);
  const [isPressed, setPressed] = useState(false);
  return {
    /** What the card shows; null before, and when it was closed. */
    shown: completion,
    /** The section at which the card stands; null while the book is not finished on this visit. */
    finishedAt,
    /** Finish was pressed, and the card has not had the focus yet. */
    takesFocus,
    /** Finish was pressed, or the card closed: the button has nothing more to say. */
    isPressed,
    /** Finish is pressed after the end was read: leads to the card. */
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
    /** Changes what the card shows, unless it was closed. */
    update: setCompletion,
    close: () => {
      setPressed(true);
      setCompletion(null);
    },
  };
}

export type UpdateCompletion = ReturnType<typeof useCompletion>['update'];
