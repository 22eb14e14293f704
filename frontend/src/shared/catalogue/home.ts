// The data of home, which the end of a book uses too.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { hintPaid } from '@/api/hints';

/** New releases shown at home (catalogue.list-pages). */
export const HOME_NEW = 6;

/** Home in one call: the member, the newest books, the categories, and what is recommended. */
export const homeQuery = () =>
  queryOptions({
    queryKey: ['member', 'home'],
    queryFn: async ({ signal }) => {
      const home = await call('GET /api/books', { query: { sort: 'newest', limit: HOME_NEW }, signal });
      if (home.user) hintPaid(home.user.isPaid);
      return home;
    },
  });
