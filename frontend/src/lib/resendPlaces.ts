import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { Given, Place, ResultOf } from '@/api/types';
import type { UnsentPlace } from '@/lib/places';
import { dropUnsent, sentNow, unsentPlaces } from '@/lib/places';

/** Trying again can help when the server was not reached, or was too busy. */
export const worthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;

/** Home, progress, library and history were told otherwise; a book that is open is not asked again, for asking opens it. */
export const forgetWhatPlacesChange = () =>
  queryClient.invalidateQueries({ queryKey: ['member'], predicate: ({ queryKey }) => queryKey[1] !== 'book', refetchType: 'none' });

type Report = Given<'PUT /api/user-book-history'>['body'];

/** What is sent for a place. */
export const reportOf = ({ book, position, audio, completed, at }: Omit<UnsentPlace, 'member'>): Report => ({
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

/** Sends what an earlier visit to this site could not: each place with its own time. Answers whether any arrived. */
export async function resendPlaces(member: number): Promise<boolean> {
  let any = false;
  for (const unsent of unsentPlaces(member)) {
    try {
      const { place } = await call('PUT /api/user-book-history', { body: reportOf(unsent) });
      hearPlace(unsent.book, place);
      any = true;
    } catch (error) {
      if (worthRetrying(error)) break;
    }
    dropUnsent(unsent);
  }
  if (any) await forgetWhatPlacesChange();
  return any;
}
