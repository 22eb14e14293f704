import { call, queryString } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { AuthorsResult, BooksQuery, BooksResult, ResultOf, User } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { homeQuery } from '@/shared/catalogue/home';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

const SORTS = ['new', 'newest', 'trending', 'ab', 'audio', 'video', 'chosen'] as const;

/** How many history entries home shows (catalogue.list-pages). */
export const HOME_HISTORY = 10;
/** How many of the latest entries are fetched for that, so that an unfinished book is not hidden behind finished ones. */
const HISTORY_LOOKED_THROUGH = 50;

/** The query of the book list, from a URL; other parameters are ignored. */
export function readBooksQuery(params: URLSearchParams): BooksQuery {
  const sort = SORTS.find((known) => known === params.get('sort'));
  const word = (name: 'q' | 'category' | 'collection' | 'author' | 'tag') => {
    const value = params.get(name)?.trim();
    return value ? { [name]: value } : {};
  };
  const yes = (name: 'audio' | 'video') => (params.get(name) === 'true' ? { [name]: true } : {});
  return {
    ...word('q'),
    ...(sort && { sort }),
    ...word('category'),
    ...word('collection'),
    ...word('author'),
    ...word('tag'),
    ...yes('audio'),
    ...yes('video'),
  };
}

/**
 * Throws "not found" for a URL that the server can't parse, so that client-side navigation gives the same result as the server
 * (catalogue.unreadable-address).
 */
export function refuseUnreadable(params: URLSearchParams): void {
  const isReadable = (name: string, read: (value: string) => boolean) => params.getAll(name).every(read);
  const isFlag = (value: string) => value === 'true' || value === 'false';
  if (
    isReadable('sort', (value) => SORTS.some((known) => known === value)) &&
    isReadable('audio', isFlag) &&
    isReadable('video', isFlag) &&
    isReadable('collection', (value) => /^\d+$/.test(value))
  )
    return;
  throw new Response(null, { status: 404 });
}

/** The book list of /books, by page. The server seeds the first page under the visitor's key. */
export const booksQuery = (query: BooksQuery) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'books', queryString(query)],
    queryFn: ({ pageParam, signal }) => call('GET /api/books', { query: { ...query, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: BooksResult) => last.next,
  });

/** Collections by page, newest first. The server seeds the first page under the visitor's key. */
export const collectionsQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'collections'],
    queryFn: ({ pageParam, signal }) => call('GET /api/collections', { query: { ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: ResultOf<'GET /api/collections'>) => last.next,
    staleTime: 10 * 60_000,
  });

export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'collection', id],
    queryFn: ({ signal }) => call('GET /api/collections/{id}', { path: { id }, signal }),
    staleTime: 10 * 60_000,
  });

/** The directory of authors, all or of one letter. */
export const authorsQuery = (letter: string) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'authors', letter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/authors', { query: { ...(letter && { letter }), ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AuthorsResult) => last.next,
    staleTime: 10 * 60_000,
  });

export const authorQuery = (slug: string) =>
  queryOptions({
    queryKey: [viewer(), 'author', slug],
    queryFn: ({ signal }) => call('GET /api/authors/{slug}', { path: { slug }, signal }),
    staleTime: 10 * 60_000,
  });

export const categoriesQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'categories'],
    queryFn: async ({ signal }) => (await call('GET /api/categories', { signal })).categories,
    staleTime: 10 * 60_000,
  });

export const historyQuery = () =>
  queryOptions({
    queryKey: ['member', 'history'],
    queryFn: async ({ signal }) => (await call('GET /api/user-book-history', { query: { limit: HISTORY_LOOKED_THROUGH }, signal })).books,
    // Fetched once per visit of the page, although both its loader and its component use the query.
    staleTime: 5_000,
  });

/** The insight of the day, the same for all viewers; null on a day without one. */
export const insightQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'insight'],
    queryFn: async ({ signal }) => (await call('GET /api/insight', { signal })).insight,
    staleTime: 10 * 60_000,
  });

/** After a change of the preferences: updates the account's cache entry and invalidates what depends on it. */
export function cachePreferences(user: User): void {
  queryClient.setQueryData(accountQuery().queryKey, user);
  queryClient.removeQueries({ queryKey: homeQuery().queryKey });
}
