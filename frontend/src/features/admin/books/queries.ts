import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { call } from '@/api/client';
import { ApiError, UNEXPECTED_RESPONSE } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { RequestOf, ResultOf } from '@/api/types';
import type { Sort } from '@/ui/records/DataTable';

export type BookRow = ResultOf<'GET /api/admin/books'>['books'][number];
export type BookDetail = ResultOf<'GET /api/admin/books/{bookId}'>['book'];
export type BookChange = RequestOf<'PUT /api/admin/books/{bookId}'>['body'];
export type Revision = ResultOf<'GET /api/admin/books/{bookId}/revisions'>['revisions'][number];
type BooksQuery = NonNullable<RequestOf<'GET /api/admin/books'>['query']>;
export type BooksFilter = Omit<BooksQuery, 'after'>;

export const STATES = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'coming_soon', label: 'Coming soon' },
] as const;

/** What a book may lack. */
export const LACKING = [
  { value: 'cover', label: 'No cover' },
  { value: 'audio', label: 'No audio' },
  { value: 'key_ideas', label: 'No illustrated key ideas' },
] as const;

/** The default sort order: newest first (admin.sort-orders). */
const NEWEST: Sort = { by: 'uploadDate', descending: true };

/** The sort order in the URL. */
export function sortOf(search: URLSearchParams): Sort {
  const by = (['id', 'title'] as const).find((one) => one === search.get('sort'));
  return by ? { by, descending: search.get('order') === 'desc' } : NEWEST;
}

/** The filters in the URL; unknown values are ignored. */
export function booksFilter(search: URLSearchParams): BooksFilter {
  const q = search.get('q')?.trim();
  const state = STATES.find(({ value }) => value === search.get('state'))?.value;
  const lacking = LACKING.find(({ value }) => value === search.get('lacking'))?.value;
  const category = Number(search.get('category') ?? 0);
  const { by, descending } = sortOf(search);
  return {
    ...(q && { q }),
    ...(state && { state }),
    ...(lacking && { lacking }),
    ...(Number.isInteger(category) && category > 0 && { category }),
    ...(search.get('kind') === 'free' && { free: true }),
    ...(search.get('kind') === 'popular' && { popular: true }),
    ...(by !== NEWEST.by && { sort: by, order: descending ? ('desc' as const) : ('asc' as const) }),
  };
}

export const booksKey = (): QueryKey => [viewer(), 'admin', 'books'];

/** The message for a response that is not a list of books (admin.unexpected-response). */
const UNEXPECTED = 'Unexpected response format.';

const isBookRow = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' && 'title' in row && typeof row.title === 'string';

const isBookPage = (page: unknown): boolean =>
  typeof page === 'object' && page !== null && 'books' in page && Array.isArray(page.books) && page.books.every(isBookRow);

/** One page of the list. A response that is not a list of books throws, so that the table is never empty or broken by it. */
async function fetchBooks(query: BooksQuery, signal: AbortSignal): Promise<ResultOf<'GET /api/admin/books'>> {
  const unexpected = () => new ApiError({ status: 200, code: UNEXPECTED_RESPONSE, message: UNEXPECTED });
  try {
    const page = await call('GET /api/admin/books', { query, signal });
    if (!isBookPage(page)) throw unexpected();
    return page;
  } catch (error) {
    throw error instanceof ApiError && error.code === UNEXPECTED_RESPONSE ? unexpected() : error;
  }
}

/** The books, newest first unless sorted otherwise. */
export const booksQuery = (filter: BooksFilter) =>
  infiniteQueryOptions({
    queryKey: [...booksKey(), 'list', filter],
    queryFn: ({ pageParam, signal }) => fetchBooks({ ...filter, ...(pageParam !== null && { after: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 5_000,
    // Sorting and filtering keep the table, and with it the focus, until the new rows are loaded.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

export const bookQuery = (bookId: string) =>
  queryOptions({
    queryKey: [...booksKey(), 'one', bookId] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/books/{bookId}', { path: { bookId }, signal })).book,
    staleTime: 0,
    retryOnMount: false,
  });

export const revisionsQuery = (bookId: string) =>
  queryOptions({
    queryKey: [...booksKey(), 'revisions', bookId],
    queryFn: async ({ signal }) => (await call('GET /api/admin/books/{bookId}/revisions', { path: { bookId }, signal })).revisions,
    staleTime: 0,
    retryOnMount: false,
  });

export const revisionQuery = (bookId: string, id: string) =>
  queryOptions({
    queryKey: [...booksKey(), 'revision', bookId, id],
    queryFn: async ({ signal }) => (await call('GET /api/admin/books/{bookId}/revisions/{id}', { path: { bookId, id }, signal })).revision,
    retryOnMount: false,
  });

export const choicesQuery = () =>
  queryOptions({
    queryKey: [...booksKey(), 'choices'],
    queryFn: async ({ signal }) => {
      const [{ categories }, { goals }] = await Promise.all([call('GET /api/categories', { signal }), call('GET /api/goals', { signal })]);
      return {
        categories: categories.map(({ id, name }) => ({ value: String(id), label: name })),
        goals: goals.map(({ id, title }) => ({ value: String(id), label: title })),
      };
    },
    retryOnMount: false,
  });

/** Caches a book from the server's response; the lists are refetched when they are opened. */
export function cacheBook(book: BookDetail): void {
  queryClient.setQueryData(bookQuery(String(book.id)).queryKey, book);
  void queryClient.invalidateQueries({ queryKey: [...booksKey(), 'list'], refetchType: 'none' });
  void queryClient.invalidateQueries({ queryKey: [...booksKey(), 'revisions', String(book.id)], refetchType: 'none' });
}
