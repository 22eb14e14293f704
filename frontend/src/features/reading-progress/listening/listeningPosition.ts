// Positions in recordings: a member's position is sent to the server by position sync, so that another device can resume; a
// visitor's stays in this browser, and so does everyone's in podcast episodes and in the podcast about a book.
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { readingPlace } from '@/shared/listening/listening';
import type { SessionPart, Start, Track } from '@/shared/listening/listening';
import { nextMoment, unsentPlaces } from '@/shared/positions/places';
import { savePlace } from '@/shared/positions/positionSync';
import type { ListeningPosition } from '@/features/reading-progress/listening/engine';
import { places } from '@/features/reading-progress/listening/playerStorage';
import { startsOf } from '@/features/reading-progress/listening/sessionSound';
import { toast } from '@/ui/toast';

/**
 * The section to save. If the book's text is open, the reader saves its own position, unless the text follows the recording.
 * Otherwise listening counts as reading, and the section being played is the member's position.
 */
function positionOf({ track, section, completed }: ListeningPosition): number | null {
  if (completed) return track.sections - 1;
  return readingPlace()?.bookId === track.bookId ? null : section;
}

/** The listening member; null when a visitor signed in with the player open and the account is not cached. */
const memberOf = (track: Track): number | null => track.member ?? queryClient.getQueryData(accountQuery().queryKey)?.id ?? null;

/** Listening positions of this visit that the server has not acknowledged: seconds, and the time of the save. */
const unacknowledged = new Map<number, { at: number; moment: number }>();

/** The storage key of an episode's position. Slugs of episodes contain no slash. */
const episodeName = ({ subid, isAboutBook }: Track): string => (isAboutBook ? `books/${subid}` : subid);

const notSaved = (_place: unknown, error: unknown) => {
  // eslint-disable-next-line no-console -- reading-progress.quiet-failures: history failures are logged
  console.warn('The place in the recording was not saved.', error);
};

/** Saves the place in the book whose part of a session plays. */
function saveSessionPosition({ track, at, section, completed }: ListeningPosition, parts: readonly SessionPart[]): void {
  const part = section === null ? undefined : parts[section];
  // At the end of a session nothing plays: the last idea was saved when it was heard.
  if (!part || section === null || completed) return;
  const audio = part.from + at - (startsOf(parts)[section] ?? 0);
  const place = { member: memberOf(track), book: part.bookId, position: part.section, audio: Math.round(audio * 1000), at: nextMoment(), completed: false };
  savePlace(place, { saved: () => undefined, failed: notSaved });
}

/** Saves the current position in the recording. */
export function saveListeningPosition(heard: ListeningPosition): void {
  const { track, at, completed } = heard;
  if (track.parts) {
    saveSessionPosition(heard, track.parts);
    return;
  }
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
      // From now on the server's position, which covers all devices, is the latest.
      if (unacknowledged.get(book)?.moment === moment) unacknowledged.delete(book);
      if (completed && result?.progress) toast(`You have completed “${track.title}”.`);
    },
    failed: notSaved,
  });
}

/** Where to resume a recording, in seconds: a position that the server has not acknowledged is newer than the server's. */
export function resumePosition(track: Track, saved: Start['saved']): number | null {
  if (track.parts) return saved ?? null;
  if (track.bookId === null) return places.get('episode', episodeName(track));
  const here = unacknowledged.get(track.bookId);
  if (here) return here.at;
  if (session.token() === null) return places.get('audio', track.subid) ?? saved ?? null;
  const member = memberOf(track);
  const unsent = member === null ? [] : unsentPlaces(member).filter(({ book, audio }) => book === track.bookId && audio !== undefined);
  const audio = unsent.at(-1)?.audio;
  return audio === undefined ? (saved ?? null) : audio / 1000;
}

/** Called at logout: the next member's recordings resume at their own positions. */
export function clearListeningPositions(): void {
  unacknowledged.clear();
}
