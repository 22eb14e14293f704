import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** Books of the library that come at a time (reading-progress.library-pages). */
export const LIBRARY_PAGE = 20;

/**
 * A book as its page shows it: the full text only where reading takes nothing from the allowance, otherwise the preview
 * (reading-progress.page-takes-nothing). Fetched once for each visit: what is on the screen stays, whatever other devices do.
 */
export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'book', id],
    queryFn: ({ signal }) => call('GET /api/books/{id}', { path: { id }, query: { preview: true, unlessOpen: true }, signal }),
    staleTime: Infinity,
    retryOnMount: false,
  });

/** The ids of the books of which the member gets a mail when they can be read. */
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
    // The loader has just fetched it: its failure is shown, not retried at once.
    retryOnMount: false,
  });

/** The reading history, by page; home fetches its own first ten. */
export const readingHistoryQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'history', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/user-book-history', { query: { limit: LIBRARY_PAGE, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    retryOnMount: false,
  });
