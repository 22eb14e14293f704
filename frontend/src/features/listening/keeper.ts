// Keeps where somebody listens: a member's place at the server, so that another device goes on from there, a visitor's in
// this browser. One call at a time, the newest place last; a completion is never left out.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Given } from '@/api/types';
import type { Heard } from '@/features/listening/engine';
import { places } from '@/features/listening/places';
import { readingPlace } from '@/lib/listening';
import { toast } from '@/ui/toast';

type Body = Given<'PUT /api/user-book-history'>['body'];

/** What is sent for a place: the section of the text that is open, when it is; else the one that is heard. */
export function bodyOf({ track, section, completed }: Heard): Body {
  const open = readingPlace();
  const position = completed ? section : open?.bookId === track.bookId ? open.position : section;
  return { bookId: track.bookId, position: position ?? 0, completed };
}

let busy = false;
let waiting: Heard[] = [];
/** A completion that the server has not heard of. */
let lost: Heard | null = null;

/** Trying again can help when the server was not reached, or was too busy. */
const worthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

async function send(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let heard = waiting.shift(); heard; heard = waiting.shift()) {
    try {
      const { progress } = await call('PUT /api/user-book-history', { body: bodyOf(heard), keepalive: true });
      // Home, progress and history were told otherwise; the book itself is not asked again.
      void queryClient.invalidateQueries({ queryKey: ['member'], predicate: ({ queryKey }) => queryKey[1] !== 'book', refetchType: 'none' });
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

function takeUp(more: Heard[]): void {
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
  takeUp([heard]);
}
