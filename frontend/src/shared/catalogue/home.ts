// The data of /home, also used at the end of a book.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { hintPaid } from '@/api/hints';

/** How many new releases /home shows (catalogue.list-pages). */
export const HOME_NEW = 6;

/** The member, the newest books, the categories and the recommendations, in one call. */
export const homeQuery = () =>
  queryOptions({
    queryKey: ['member', 'home'],
    queryFn: async ({ signal }) => {
      const home = await call('GET /api/books', { query: { sort: 'newest', limit: HOME_NEW }, signal });
      if (home.user) hintPaid(home.user.isPaid);
      return home;
    },
  });
