import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '@/api/client';
import type { Place } from '@/api/types';
import { deviceId } from '@/shared/positions/places';
import { cacheServerPlace } from '@/shared/positions/positionSync';
import { questionFor } from '@/features/reading-progress/reading/devices';
import type { Question } from '@/features/reading-progress/reading/devices';

/** A section and the time of this device's last position. */
interface CurrentPlace {
  index: number;
  since: number;
}

/**
 * Asks about positions of the member's other devices: fetches the server's position when the reader comes back to the page, and
 * checks the response to each save. It never turns to another section by itself.
 */
export function useOtherDevice(book: number, signedIn: boolean, first: Question | null, start: CurrentPlace) {
  const [question, setQuestion] = useState(first);
  const here = useRef(start);
  const answered = useRef(0);

  /** Handles a position from the server. */
  const receivePlace = useCallback((stored: Place) => {
    const asked = questionFor({ stored, ...here.current, device: deviceId() });
    if (asked && asked.at > answered.current) setQuestion(asked);
  }, []);

  useEffect(() => {
    if (!signedIn) return;
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      // A failure is ignored: the next visit asks again.
      call('GET /api/user-book-history/{id}', { path: { id: String(book) } }).then(
        ({ place }) => {
          if (!place) return;
          cacheServerPlace(book, place);
          receivePlace(place);
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
  }, [book, signedIn, receivePlace]);

  return {
    question,
    receivePlace,
    /** Call when the reader has turned to a section, which answers a question about it. */
    turned: (now: CurrentPlace) => {
      here.current = now;
      setQuestion((asked) => (asked?.to === now.index ? null : asked));
    },
    /** Call when the reader has answered: the same question is not asked again. */
    answer: () => {
      answered.current = question?.at ?? answered.current;
      setQuestion(null);
    },
  };
}
