// Recommendations to read after a book, and which of them this member can open.
import type { Allowance, BookCard } from '@/api/types';
import { allowanceQuery } from '@/shared/session/account';
import { homeQuery } from '@/shared/catalogue/home';
import { useQuery } from '@tanstack/react-query';

export interface NextBook {
  book: BookCard;
  /** Requires a plan that the member does not have. */
  locked: boolean;
  /** The allowance that reading it uses one summary of; null when it uses none. */
  takes: Allowance | null;
}

export interface NextBooks {
  /** Books that the member can open come first; otherwise in the recommended order. */
  books: NextBook[];
  /** The free-summary allowance; null with a plan. */
  allowance: Allowance | null;
}

/**
 * Recommendations to read after the book `read`; null while loading, `'failed'` when that fails. Nothing is recommended before
 * it is known which books are locked.
 */
export function useNextBooks(read: number, wanted = true): NextBooks | 'failed' | null {
  const home = useQuery({ ...homeQuery(), enabled: wanted });
  const user = home.data?.user;
  const unpaid = user !== undefined && user !== null && !user.isPaid;
  const free = useQuery({ ...allowanceQuery(), enabled: wanted && unpaid });
  if (!wanted) return null;
  if (!home.data) return home.isError ? 'failed' : null;
  if (unpaid && !free.data) return free.isError ? 'failed' : null;
  const allowance = unpaid ? (free.data?.allowance ?? null) : null;
  const isOpen = ({ id, free: isFree }: BookCard) => isFree || allowance === null || (free.data?.opened.includes(id) ?? false);
  return {
    books: home.data.recommendations
      .filter(({ id, comingSoon }) => id !== read && !comingSoon)
      .map((book) => {
        const takes = isOpen(book) ? null : allowance;
        return { book, locked: takes?.left === 0, takes: takes && takes.left > 0 ? takes : null };
      })
      .toSorted((a, b) => Number(a.locked) - Number(b.locked)),
    allowance,
  };
}
