// Searches that no summary is about, answered with what comes near.
import type { BookCard } from '@/api/types';

/** Whether these books only come near what was searched for: said of all of a search's books, or of none. */
export const areNear = (books: readonly Pick<BookCard, 'match'>[]): boolean => books[0]?.match?.near ?? false;

/** What is said above such books. */
export const nearNotice = (typed: string): string => `No summary is about “${typed}” itself; these come near it.`;
