// What home greets with: who it is, what is new, and what is recommended. The end of a book asks for the same.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';

/** New releases shown at home (member.md §9). */
const HOME_NEW = 6;

/** Home in one call: the member, the newest books, the categories, and what is recommended. */
export const homeQuery = () =>
  queryOptions({
    queryKey: ['member', 'home'],
    queryFn: ({ signal }) => call('GET /api/books', { query: { sort: 'newest', limit: HOME_NEW }, signal }),
  });
