import { useCallback, useEffect, useRef } from 'react';
import type { Place } from '@/api/types';
import type { PlaceToSend } from '@/shared/positions/positionSync';
import { savePlace } from '@/shared/positions/positionSync';
import type { UpdateCompletion } from '@/features/reading-progress/reading/useCompletion';
import { site } from '@/lib/site';
import { dropToast, toast } from '@/ui/toast';

/** A reading position with its time. */
export type ReadingPlace = Pick<PlaceToSend, 'position' | 'paragraph' | 'completed' | 'at'>;

/**
 * Saves the reading positions in a book. Failures are logged, and the member is notified once until a save succeeds again.
 * `onServerPlace` gets the position in the server's response, which may be another device's.
 */
export function usePlaceSaver(book: number, member: number | null, updateCompletion: UpdateCompletion, onServerPlace: (place: Place) => void) {
  const isOpen = useRef(false);
  /** Whether the member was notified of a failure, and the id of that toast. */
  const notice = useRef<{ failure: boolean; toast: number | null }>({ failure: false, toast: null });
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return useCallback(
    (place: ReadingPlace) => {
      if (member === null) return;
      savePlace(
        { member, book, ...place },
        {
          saved({ completed }, result) {
            if (notice.current.toast !== null) {
              dropToast(notice.current.toast);
              toast('Your place is saved.');
            }
            notice.current = { failure: false, toast: null };
            if (result) onServerPlace(result.place);
            if (completed) updateCompletion((now) => (now ? { state: 'saved', progress: result?.progress ?? null } : null));
          },
          failed({ completed }, error, willRetry) {
            // eslint-disable-next-line no-console -- reading-progress.quiet-failures: history failures are logged
            console.warn('The reading position was not saved.', error);
            if (completed && isOpen.current) updateCompletion((now) => (now ? { state: 'failed' } : null));
            // Offline is not a failure: the page says so, and the position is sent later.
            else if (!completed && !notice.current.failure && (navigator.onLine || !willRetry)) {
              notice.current.toast = toast(
                willRetry ? `Your place could not be saved. ${site.name} will try again when you are back online.` : 'Your place could not be saved.',
              );
            }
            notice.current.failure ||= navigator.onLine || !willRetry;
          },
        },
      );
    },
    [book, member, updateCompletion, onServerPlace],
  );
}
