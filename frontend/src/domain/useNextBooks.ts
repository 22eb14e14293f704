// What to read after a book: what home recommends, and which of it opens to this member.
import type { Allowance, BookCard } from '@/api/types';
import { allowanceQuery } from '@/domain/account';
import { homeQuery } from '@/domain/home';
import { useQuery } from '@tanstack/react-query';

export interface NextBook {
  book: BookCard;
  /** It opens with a plan only, which the member has not. */
  locked: boolean;
}

export interface NextBooks {
  /** What opens stands first, else as it is recommended. */
  books: NextBook[];
  /** The free summaries of a member without a plan. */
  allowance: Allowance | null;
}

/**
 * Books after the one that was read; null while they are not known, `'failed'` when they can't be. A book whose lock
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
  const opens = ({ id, free: isFree }: BookCard) => isFree || allowance === null || allowance.left > 0 || (free.data?.opened.includes(id) ?? false);
  return {
    books: home.data.recommendations
      .filter(({ id, comingSoon }) => id !== read && !comingSoon)
      .map((book) => ({ book, locked: !opens(book) }))
      .toSorted((a, b) => Number(a.locked) - Number(b.locked)),
    allowance,
  };
}
