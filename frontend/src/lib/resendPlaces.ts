import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { dropUnsent, sentNow, unsentPlaces } from '@/lib/places';

/** Trying again can help when the server was not reached, or was too busy. */
export const worthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;

/** Home, progress, library and history were told otherwise; a book that is open is not asked again, for asking opens it. */
export const forgetWhatPlacesChange = () =>
  queryClient.invalidateQueries({ queryKey: ['member'], predicate: ({ queryKey }) => queryKey[1] !== 'book', refetchType: 'none' });

/** Sends what an earlier visit to this site could not: each place with its own time. Answers whether any arrived. */
export async function resendPlaces(member: number): Promise<boolean> {
  let any = false;
  for (const place of unsentPlaces(member)) {
    const { book, position, completed, at } = place;
    try {
      await call('PUT /api/user-book-history', { body: { bookId: book, position, completed, at, ...sentNow() } });
      any = true;
    } catch (error) {
      if (worthRetrying(error)) break;
    }
    dropUnsent(place);
  }
  if (any) await forgetWhatPlacesChange();
  return any;
}
