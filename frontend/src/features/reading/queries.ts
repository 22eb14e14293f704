import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** Books of the library that come at a time (member.md §9). */
export const LIBRARY_PAGE = 20;

/**
 * A book and how much of it this viewer may read. Asking takes allowance (decisions.md 23), so it is asked once for a
 * visit: never before the visit, never again on focus or after a failure that nobody saw.
 */
export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'book', id],
    queryFn: ({ signal }) => call('GET /api/books/{id}', { path: { id }, signal }),
    staleTime: Infinity,
    retryOnMount: false,
  });

export const SHELVES = ['all', 'reading', 'finished', 'saved'] as const;
export type ShelfName = (typeof SHELVES)[number];

export const libraryQuery = (shelf: ShelfName) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'library', shelf],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/library', {
        query: { limit: LIBRARY_PAGE, ...(shelf !== 'all' && { shelf }), ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // The loader has just asked: what failed there is shown, not asked again at once.
    retryOnMount: false,
  });

/** Everything that was read, by page; home has its own first ten. */
export const readingHistoryQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'history', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/user-book-history', { query: { limit: LIBRARY_PAGE, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    retryOnMount: false,
  });
