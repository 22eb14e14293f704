import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

/** The average reading time stated in the list, in minutes (catalogue.visuals-list). */
export const VISUALS_READ_MINUTES = 5;

/** Books with illustrated key ideas, by page. The server seeds the first page under the visitor's key. */
export const visualsQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'visuals'],
    queryFn: ({ pageParam, signal }) => call('GET /api/visuals', { query: { ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (last: ResultOf<'GET /api/visuals'>) => last.next,
  });

/** A book's illustrated key ideas; the pictures' presigned URLs are valid for some hours. */
export const bookVisualsQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'visuals-of', id],
    queryFn: ({ signal }) => call('GET /api/visuals/book/{id}', { path: { id }, signal }),
    staleTime: 10 * 60_000,
  });

/** The gallery of infographics, by page. The server seeds the first page under the visitor's key. */
export const infographicsQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'infographics'],
    queryFn: ({ pageParam, signal }) => call('GET /api/infographics', { query: { ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (last: ResultOf<'GET /api/infographics'>) => last.next,
  });

export type Visual = ResultOf<'GET /api/visuals/book/{id}'>['visuals'][number];
