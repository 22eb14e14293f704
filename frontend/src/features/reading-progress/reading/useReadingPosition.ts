import { useEffect, useRef } from 'react';
import type { Book } from '@/api/types';
import { VISITOR, nextMoment, rememberPlace } from '@/shared/positions/places';
import type { Opening } from '@/features/reading-progress/reading/opening';
import type { Finish, useCompletion } from '@/features/reading-progress/reading/useCompletion';
import { useOtherDevice } from '@/features/reading-progress/reading/useOtherDevice';
import { paragraphOnTop } from '@/features/reading-progress/reading/useParagraph';
import { usePlaceSaver } from '@/features/reading-progress/reading/usePlaceSaver';

interface Options {
  book: Book;
  /** The reading member's id; null for a visitor, whose position stays in this browser. */
  member: number | null;
  opening: Opening;
  /** The last section with text: its end completes the book. */
  lastText: number;
  completion: ReturnType<typeof useCompletion>;
}

/** Saves the reader's position in a book (a visitor's in this browser), and asks when another device is elsewhere in it. */
export function useReadingPosition({ book, member, opening, lastText, completion }: Options) {
  const { start, question, since, first } = opening;
  const other = useOtherDevice(book.id, member !== null, question, { index: start, since });
  const savePlaceOf = usePlaceSaver(book.id, member, completion.update, other.receivePlace);

  // An opened book appears in the history, even if it is not read beyond its beginning.
  const savesAtOnce = member !== null && first;
  useEffect(() => {
    if (savesAtOnce) savePlaceOf({ position: start, completed: false, at: nextMoment() });
  }, [savesAtOnce, savePlaceOf, start]);

  const saved = useRef({ index: opening.isStored || savesAtOnce ? start : null, paragraph: opening.paragraph });
  const saveAt = (index: number, completed: boolean, now: number | null = null) => {
    const place = { position: index, at: nextMoment() };
    saved.current = { index, paragraph: now };
    rememberPlace(member ?? VISITOR, book.id, { ...place, paragraph: now });
    if (member === null) return;
    savePlaceOf({ ...place, completed, ...(now !== null && { paragraph: now }) });
    other.turned({ index, since: place.at });
  };

  return {
    other,
    /** The member is at this section now. Does not complete the book. */
    save: (index: number) => saveAt(index, false),
    /** The member has scrolled to this paragraph of the section. */
    saveParagraph(index: number, now: number) {
      if (index !== saved.current.index || now !== saved.current.paragraph) saveAt(index, false, now);
    },
    /** The member has read the book to its end; `at` is the section that is shown. */
    finish(by: Finish, at: number) {
      saveAt(lastText, true, paragraphOnTop());
      completion.begin(by, at);
    },
  };
}
