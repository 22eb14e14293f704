// Where a recording is: a member's place goes to the server by position sync, so that another device goes on from there; a
// visitor's stays in this browser, and so does everyone's in an episode of the podcast and in the podcast about a book.
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { readingPlace } from '@/shared/listening/listening';
import type { Start, Track } from '@/shared/listening/listening';
import { nextMoment, unsentPlaces } from '@/shared/positions/places';
import { savePlace } from '@/shared/positions/positionSync';
import type { ListeningPosition } from '@/features/reading-progress/listening/engine';
import { places } from '@/features/reading-progress/listening/playerStorage';
import { toast } from '@/ui/toast';

/**
 * The section that is saved. A text that is open saves its own place: the voice moves it only where the text follows it.
 * Otherwise listening is reading, and the section that is heard is where the member is.
 */
function positionOf({ track, section, completed }: ListeningPosition): number | null {
  if (completed) return track.sections - 1;
  return readingPlace()?.bookId === track.bookId ? null : section;
}

/** Who listens; null when a visitor signed in with the player open and the account is not cached. */
const memberOf = (track: Track): number | null => track.member ?? queryClient.getQueryData(accountQuery().queryKey)?.id ?? null;

/** Where each book was left on this visit, in seconds, and when, until the server has it. */
const unacknowledged = new Map<number, { at: number; moment: number }>();

/** The name under which an episode's place is stored. No episode's own name has a slash. */
const episodeName = ({ subid, isAboutBook }: Track): string => (isAboutBook ? `books/${subid}` : subid);

/** Saves where the recording is now. */
export function saveListeningPosition(heard: ListeningPosition): void {
  const { track, at, completed } = heard;
  if (track.bookId === null) {
    places.set('episode', episodeName(track), completed ? 0 : at);
    return;
  }
  const book = track.bookId;
  const moment = nextMoment();
  unacknowledged.set(book, { at, moment });
  if (session.token() === null) {
    places.set('audio', track.subid, completed ? 0 : at);
    return;
  }
  const place = { member: memberOf(track), book, position: positionOf(heard), audio: Math.round(at * 1000), at: moment, completed };
  savePlace(place, {
    saved(_, result) {
      // From here on the server says where the recording is, of all devices.
      if (unacknowledged.get(book)?.moment === moment) unacknowledged.delete(book);
      if (completed && result?.progress) toast(`You have completed “${track.title}”.`);
    },
    failed(_place, error) {
      // eslint-disable-next-line no-console -- reading-progress.quiet-failures: history failures are logged
      console.warn('The place in the recording was not saved.', error);
    },
  });
}

/** Where to resume a recording, in seconds: a place that the server has not acknowledged is newer than the server's. */
export function resumePosition(track: Track, saved: Start['saved']): number | null {
  if (track.bookId === null) return places.get('episode', episodeName(track));
  const here = unacknowledged.get(track.bookId);
  if (here) return here.at;
  if (session.token() === null) return places.get('audio', track.subid) ?? saved ?? null;
  const member = memberOf(track);
  const unsent = member === null ? [] : unsentPlaces(member).filter(({ book, audio }) => book === track.bookId && audio !== undefined);
  const audio = unsent.at(-1)?.audio;
  return audio === undefined ? (saved ?? null) : audio / 1000;
}

/** The member has logged out: the next person's recordings begin where theirs were left. */
export function clearListeningPositions(): void {
  unacknowledged.clear();
}
