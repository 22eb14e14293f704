import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** Page size of the library (reading-progress.library-pages). */
export const LIBRARY_PAGE = 20;

/**
 * A book for its page: the full text only if reading it uses nothing from the allowance, otherwise the preview
 * (reading-progress.page-takes-nothing). Fetched once per visit: the page does not change because of other devices.
 */
export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'book', id],
    queryFn: ({ signal }) => call('GET /api/books/{id}', { path: { id }, query: { preview: true, unlessOpen: true }, signal }),
    staleTime: Infinity,
    retryOnMount: false,
  });

/** The ids of books for which the member has requested a mail when they become available. */
export const noticesQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'notices'],
    queryFn: async ({ signal }) => (await call('GET /api/user/notices', { signal })).books,
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
    // The loader has just fetched it: a failure is shown, not retried at once.
    retryOnMount: false,
  });

/** The reading history, by page; home has its own query for the first entries. */
export const readingHistoryQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'history', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/user-book-history', { query: { limit: LIBRARY_PAGE, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    retryOnMount: false,
  });
