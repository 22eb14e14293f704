import { useEffect } from 'react';
import type { Book } from '@/api/types';
import { nextMoment, rememberPlace } from '@/domain/places';
import type { Opening } from '@/features/reading/opening';
import type { Finish, useCompletion } from '@/features/reading/useCompletion';
import { useOtherDevice } from '@/features/reading/useOtherDevice';
import { usePlaceSaver } from '@/features/reading/usePlaceSaver';

interface Options {
  book: Book;
  /** Who reads, by id; null for a visitor, whose position is not saved. */
  member: number | null;
  opening: Opening;
  /** The last section with text: its end completes the book. */
  lastText: number;
  completion: ReturnType<typeof useCompletion>;
}

/** Saves where a member is in a book, and asks when another device is elsewhere in it. */
export function useReadingPosition({ book, member, opening, lastText, completion }: Options) {
  const { start, question, since, first } = opening;
  const other = useOtherDevice(book.id, member !== null, question, { index: start, since });
  const savePlaceOf = usePlaceSaver(book.id, member, completion.update, other.receivePlace);

  // A book that is opened stands in the history, also when it is read no further than where it began.
  const savesAtOnce = member !== null && first;
  useEffect(() => {
    if (savesAtOnce) savePlaceOf({ position: start, completed: false, at: nextMoment() });
  }, [savesAtOnce, savePlaceOf, start]);

  const saveAt = (index: number, completed: boolean) => {
    if (member === null) return;
    const place = { position: index, completed, at: nextMoment() };
    rememberPlace(member, book.id, place);
    savePlaceOf(place);
    other.turned({ index, since: place.at });
  };

  return {
    other,
    /** The member is at this section now. Arriving completes nothing. */
    save: (index: number) => saveAt(index, false),
    /** The member has read the book to its end, which is said at the section that is shown. */
    finish(by: Finish, at: number) {
      saveAt(lastText, true);
      completion.begin(by, at);
    },
  };
}
