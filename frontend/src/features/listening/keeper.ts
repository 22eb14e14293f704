// Keeps where somebody listens: a member's place at the server, so that another device goes on from there, a visitor's in
// this browser. One call at a time, the newest place last; a completion is never left out. What the server has not
// acknowledged is kept with what was read (lib/places.ts), by member, and goes out when it can.
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/domain/account';
import { readingPlace } from '@/domain/listening';
import type { Start, Track } from '@/domain/listening';
import { keepUnsent, nextMoment, unsentPlaces } from '@/domain/places';
import { resendPlaces, sendPlace, worthRetrying } from '@/domain/resendPlaces';
import type { PlaceToSend } from '@/domain/resendPlaces';
import type { Heard } from '@/features/listening/engine';
import { places } from '@/features/listening/remembered';
import { toast } from '@/ui/toast';

/** A place on its way; `member` is null when somebody signed in while the player was open, and nothing says who. */
interface Kept extends PlaceToSend {
  title: string;
}

/**
 * A text that is open keeps its own place: the voice moves it only where the text follows it, and then the reader says
 * so. Otherwise listening is reading, and the section that is heard is where the member is.
 */
function positionOf({ track, section, completed }: Heard): number | null {
  if (completed) return track.sections - 1;
  return readingPlace()?.bookId === track.bookId ? null : section;
}

/** Who listens. Whoever signed in with the player open is not in the track. */
const memberOf = (track: Track): number | null => track.member ?? queryClient.getQueryData(accountQuery().queryKey)?.id ?? null;

let busy = false;
let waiting: Kept[] = [];
/** Something did not get through that may be tried again. */
let behind = false;
/** Where somebody stopped on this visit, in seconds, and when: what the server does not know yet, or need not know. */
const stopped = new Map<number, { at: number; moment: number }>();

async function send(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let kept = waiting.shift(); kept; kept = waiting.shift()) await put(kept);
  busy = false;
}

async function put({ title, ...place }: Kept): Promise<void> {
  const { member } = place;
  try {
    const answer = await sendPlace(place);
    // From here on the server says where the recording is, of all devices.
    if (stopped.get(place.book)?.moment === place.at) stopped.delete(place.book);
    if (behind && member !== null) {
      behind = false;
      void resendPlaces(member);
    }
    if (place.completed && answer.progress) toast(`You have completed “${title}”.`);
  } catch (error) {
    // eslint-disable-next-line no-console -- member.md §8: history failures are logged
    console.warn('The place in the recording was not saved.', error);
    behind ||= worthRetrying(error);
  }
}

export function keepHeard(heard: Heard): void {
  const { track, at, completed } = heard;
  const moment = nextMoment();
  stopped.set(track.bookId, { at, moment });
  if (session.token() === null) {
    places.set('audio', track.subid, completed ? 0 : at);
    return;
  }
  const member = memberOf(track);
  const place = { book: track.bookId, position: positionOf(heard), audio: Math.round(at * 1000), at: moment, completed };
  if (member !== null) keepUnsent({ member, ...place });
  waiting = [...waiting.filter((one) => one.completed || one.book !== place.book), { member, title: track.title, ...place }];
  void send();
}

/** Where listening was left off, in seconds: what the server has not acknowledged is newer than what it said. */
export function leftOff(track: Track, saved: Start['saved']): number | null {
  const here = stopped.get(track.bookId);
  if (here) return here.at;
  if (session.token() === null) return places.get('audio', track.subid) ?? saved ?? null;
  const member = memberOf(track);
  const unsent = member === null ? [] : unsentPlaces(member).filter(({ book, audio }) => book === track.bookId && audio !== undefined);
  const audio = unsent.at(-1)?.audio;
  return audio === undefined ? (saved ?? null) : audio / 1000;
}

/** Somebody has logged out: what is on its way was theirs, and waits in this browser for them. */
export function forgetHeard(): void {
  waiting = [];
  stopped.clear();
}
