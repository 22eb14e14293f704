// How a place in a book gets to the server: what is read now, what is heard now, and what an earlier visit could not send.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { Given, Place, ResultOf } from '@/api/types';
import { allUnsent, dropUnsent, sentNow, unsentPlaces } from '@/domain/places';
import type { UnsentPlace } from '@/domain/places';

/** Trying again can help when the server was not reached, or was too busy. */
export const worthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;

/**
 * Home, progress, library and history were told otherwise; a book that is open is not asked again, for asking opens it.
 * `shown`: the screen that is open is asked again at once, otherwise whenever it is opened next.
 */
const forgetWhatPlacesChange = (shown: boolean) =>
  queryClient.invalidateQueries({ queryKey: ['member'], predicate: ({ queryKey }) => queryKey[1] !== 'book', refetchType: shown ? 'active' : 'none' });

/** A place to be sent; `member` is null when nothing says who is there. */
export type PlaceToSend = Omit<UnsentPlace, 'member'> & { member: number | null };

type Report = Given<'PUT /api/user-book-history'>['body'];

/** What is sent for a place. */
const reportOf = ({ book, position, audio, completed, at }: PlaceToSend): Report => ({
  bookId: book,
  completed,
  at,
  ...(position !== null && { position }),
  ...(audio !== undefined && { audio }),
  ...sentNow(),
});

/**
 * The server has said where the recording of a book is, of all devices: the book's page goes on from there, however
 * long ago it was asked for.
 */
export function hearPlace(book: number, place: Place): void {
  queryClient.setQueriesData<ResultOf<'GET /api/books/{id}'>>({ queryKey: ['member', 'book'] }, (known) => {
    if (known?.book.id !== book || known.book.place?.audio === place.audio) return known;
    return { ...known, book: { ...known.book, place: known.book.place ? { ...known.book.place, audio: place.audio } : place } };
  });
}

/** What this page is sending just now, by member, book and moment. */
const onTheirWay = new Set<string>();
const keyOf = ({ member, book, at }: PlaceToSend) => `${member}/${book}/${at}`;

/**
 * Sends a place, also when the page is left meanwhile. It no longer counts as unsent when the server has it or will
 * never take it; throws what the call does.
 */
async function put(place: PlaceToSend): Promise<ResultOf<'PUT /api/user-book-history'>> {
  const { member, book, at } = place;
  const done = () => member !== null && dropUnsent({ member, book, at });
  const key = keyOf(place);
  onTheirWay.add(key);
  try {
    const answer = await call('PUT /api/user-book-history', { body: reportOf(place), keepalive: true });
    done();
    hearPlace(book, answer.place);
    return answer;
  } catch (error) {
    if (!worthRetrying(error)) done();
    throw error;
  } finally {
    onTheirWay.delete(key);
  }
}

/** Sends a place as {@link put} does. A completion shows at once on the screen that is open. */
export async function sendPlace(place: PlaceToSend): Promise<ResultOf<'PUT /api/user-book-history'>> {
  const answer = await put(place);
  void forgetWhatPlacesChange(place.completed);
  return answer;
}

/** Whether this browser keeps a place that nobody is sending. */
export const placesWait = (): boolean => allUnsent().some((one) => !onTheirWay.has(keyOf(one)));

/** Sends what could not be sent before, on this page or an earlier one: each place with its own time. */
export async function resendPlaces(member: number): Promise<void> {
  let any = false;
  for (const unsent of unsentPlaces(member)) {
    if (onTheirWay.has(keyOf(unsent))) continue;
    try {
      await put(unsent);
      any = true;
    } catch (error) {
      if (worthRetrying(error)) break;
    }
  }
  if (any) await forgetWhatPlacesChange(true);
}
