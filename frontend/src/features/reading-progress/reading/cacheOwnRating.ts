import { queryClient } from '@/api/queryClient';
import type { Book } from '@/api/types';
import { bookQuery } from '@/features/reading-progress/reading/queries';

/** Updates the member's rating of a book, or its absence, in the cached book. */
export function cacheOwnRating(id: string, ownRating: Book['ownRating']): void {
  queryClient.setQueryData(bookQuery(id).queryKey, (seen) => seen && { ...seen, book: { ...seen.book, ownRating, hasRatingsFromUser: ownRating !== null } });
}
