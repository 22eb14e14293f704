// Keeps where somebody listens: a member's place at the server, so that another device goes on from there, a visitor's in
// this browser. One call at a time, the newest place last; a completion is never left out.
import { call } from '@/api/client';
import { session } from '@/api/session';
import type { Given } from '@/api/types';
import type { Heard } from '@/features/listening/engine';
import { places } from '@/features/listening/remembered';
import { readingPlace } from '@/lib/listening';
import { nextMoment, sentNow } from '@/lib/places';
import { forgetWhatPlacesChange, worthRetrying } from '@/lib/resendPlaces';
import { toast } from '@/ui/toast';

type Body = Given<'PUT /api/user-book-history'>['body'];

interface Kept extends Heard {
  /** When it was heard, by the server's clock. */
  moment: number;
}

/**
 * What is sent for a place. A text that is open keeps its own place: the voice moves it only where the text follows it,
 * and then the reader says so. Otherwise listening is reading, and the section that is heard is where the member is.
 */
export function bodyOf({ track, at, section, completed, moment }: Kept): Body {
  const open = readingPlace()?.bookId === track.bookId;
  const position = completed ? track.sections - 1 : open ? null : section;
  return { bookId: track.bookId, audio: Math.round(at * 1000), completed, at: moment, ...(position !== null && { position }), ...sentNow() };
}

let busy = false;
let waiting: Kept[] = [];
/** A completion that the server has not heard of. */
let lost: Kept | null = null;

async function send(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let heard = waiting.shift(); heard; heard = waiting.shift()) {
    try {
      const { progress } = await call('PUT /api/user-book-history', { body: bodyOf(heard), keepalive: true });
      void forgetWhatPlacesChange();
      if (heard.completed && progress) toast(`You have completed “${heard.track.title}”.`);
    } catch (error) {
      // eslint-disable-next-line no-console -- member.md §8: history failures are logged
      console.warn('The place in the recording was not saved.', error);
      // The next place makes up for a lost one; a completion is tried again.
      if (heard.completed && worthRetrying(error)) lost = heard;
    }
  }
  busy = false;
}

function takeUp(more: Kept[]): void {
  const again = lost ? [lost] : [];
  lost = null;
  waiting = [...again, ...waiting, ...more];
  if (waiting.length > 0) void send();
}

window.addEventListener('online', () => takeUp([]));

export function keepHeard(heard: Heard): void {
  if (session.token() === null) {
    places.set('audio', heard.track.subid, heard.completed ? 0 : heard.at);
    return;
  }
  waiting = waiting.filter(({ completed, track }) => completed || track.bookId !== heard.track.bookId);
  takeUp([{ ...heard, moment: nextMoment() }]);
}
