import { useRef, useState } from 'react';
import type { Book } from '@/api/types';
import { useListening } from '@/domain/listening';
import type { Completion } from '@/features/reading/components/CompletionDialog';

/** The completion of the book that is open. `atOnce`: it opens at its end, which completes it. */
export function useCompletion(book: Book, atOnce: boolean) {
  const isCompleted = useRef(book.completed || atOnce);
  const [completion, setCompletion] = useState<Completion | null>(atOnce ? { state: 'saving' } : null);
  const [isReadOut, setReadOut] = useState(false);
  const hasPlayedOut = useListening((now) => now?.track.bookId !== book.id || now.ended);
  return {
    /** What the dialog shows. What the recording completes is shown when it has ended: the dialog would interrupt it. */
    shown: isReadOut && !hasPlayedOut ? null : completion,
    isCompleted: () => isCompleted.current,
    /** The recording has turned to the section that is shown. */
    setReadOut,
    begin: () => {
      isCompleted.current = true;
      setCompletion({ state: 'saving' });
    },
    /** Changes what the dialog shows, unless it was closed. */
    update: setCompletion,
    close: () => setCompletion(null),
  };
}

export type UpdateCompletion = ReturnType<typeof useCompletion>['update'];
