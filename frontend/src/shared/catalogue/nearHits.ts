// Search results without an exact match, only related books.
import type { BookCard } from '@/api/types';

/** Whether the results are only related to the query. The server marks all books of a search or none. */
export const areNear = (books: readonly Pick<BookCard, 'match'>[]): boolean => books[0]?.match?.near ?? false;

/** The notice above such results. */
export const nearNotice = (typed: string): string => `No summary is about “${typed}” itself; these come close.`;
