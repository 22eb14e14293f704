// Recommendations after a book, and which of them this member can open.
import type { Allowance, BookCard } from '@/api/types';
import { allowanceQuery } from '@/shared/session/account';
import { homeQuery } from '@/shared/catalogue/home';
import { useQuery } from '@tanstack/react-query';

export interface NextBook {
  book: BookCard;
  /** It requires a plan, which the member does not have. */
  locked: boolean;
  /** The free summaries of which reading it takes one; null where it takes none. */
  takes: Allowance | null;
}

export interface NextBooks {
  /** Books that the member can open first, then in the recommended order. */
  books: NextBook[];
  /** The free summaries of a member without a plan. */
  allowance: Allowance | null;
}

/**
 * Books after the one that was read; null while they load, `'failed'` when that fails. A book whose lock
 * is not known is not offered.
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
