import { queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { pagedQuery } from '@/features/admin/paged';

export type Author = ResultOf<'GET /api/admin/authors'>['authors'][number];
export type Tag = ResultOf<'GET /api/admin/tags'>['tags'][number];

/** The filter of these lists, in the URL. */
export const UNUSED = [{ value: 'true', label: 'Without books' }] as const;

/** The query parameters of a list of authors or tags. */
export function namesFilter(search: URLSearchParams): { q?: string; unused?: boolean } {
  const q = search.get('q')?.trim();
  return { ...(q && { q }), ...(search.get('unused') === 'true' && { unused: true }) };
}

export const authorsQuery = (filter: ReturnType<typeof namesFilter>) =>
  pagedQuery('authors', filter, (after, signal) => call('GET /api/admin/authors', { query: { ...filter, ...after }, signal }));

export const tagsQuery = (filter: ReturnType<typeof namesFilter>) =>
  pagedQuery('tags', filter, (after, signal) => call('GET /api/admin/tags', { query: { ...filter, ...after }, signal }));

export const authorQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'authors', 'one', id] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/authors/{id}', { path: { id }, signal })).author,
    staleTime: 0,
    retryOnMount: false,
  });

export const tagQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'tags', 'one', id] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/tags/{id}', { path: { id }, signal })).tag,
    staleTime: 0,
    retryOnMount: false,
  });

/** How many merge targets a search offers. */
const OFFERED = 20;

/** Possible merge targets, by part of their names. */
export const targetsQuery = (kind: 'author' | 'tag', q: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', `${kind}s`, 'choose', q],
    queryFn: async ({ signal }): Promise<{ id: number; name: string; bookCount: number }[]> => {
      const query = { limit: OFFERED, ...(q && { q }) };
      return kind === 'author'
        ? (await call('GET /api/admin/authors', { query, signal })).authors
        : (await call('GET /api/admin/tags', { query, signal })).tags;
    },
    staleTime: 30_000,
  });
