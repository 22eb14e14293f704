import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '@/api/client';
import type { Place } from '@/api/types';
import { deviceId } from '@/domain/places';
import { cacheServerPlace } from '@/domain/positionSync';
import { meanwhile } from '@/features/reading/devices';
import type { Question } from '@/features/reading/devices';

/** A place at a moment. */
interface Here {
  index: number;
  /** This device's own last moment in the book. */
  since: number;
}

/**
 * Keeps an eye on the book's other devices: asks the server whenever the reader comes back to the page, and hears what
 * the server says to each save. Nothing moves by itself; there is a question at most.
 */
export function useOtherDevice(book: number, signedIn: boolean, first: Question | null, start: Here) {
  const [question, setQuestion] = useState(first);
  const here = useRef(start);
  const answered = useRef(0);

  /** The server has answered with its place. */
  const hear = useCallback((stored: Place) => {
    const asked = meanwhile({ stored, ...here.current, device: deviceId() });
    if (asked && asked.at > answered.current) setQuestion(asked);
  }, []);

  useEffect(() => {
    if (!signedIn) return;
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      // Who can't be reached now has nothing to say; the next time will do.
      call('GET /api/user-book-history/{id}', { path: { id: String(book) } }).then(
        ({ place }) => {
          if (!place) return;
          cacheServerPlace(book, place);
          hear(place);
        },
        () => undefined,
      );
    };
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pageshow', look);
    window.addEventListener('online', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pageshow', look);
      window.removeEventListener('online', look);
      window.removeEventListener('focus', look);
    };
  }, [book, signedIn, hear]);

  return {
    question,
    hear,
    /** The reader has turned to a section. What was asked about it is answered by that. */
    turned: (now: Here) => {
      here.current = now;
      setQuestion((asked) => (asked?.to === now.index ? null : asked));
    },
    /** The reader has chosen: the same is not asked again. */
    answer: () => {
      answered.current = question?.at ?? answered.current;
      setQuestion(null);
    },
  };
}
