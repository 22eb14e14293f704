import { queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { readAgain } from '@/features/admin/paged';

export type Category = ResultOf<'GET /api/admin/categories'>['categories'][number];
export type Goal = ResultOf<'GET /api/admin/goals'>['goals'][number];
export type Collection = ResultOf<'GET /api/admin/collections/list'>['results'][number];
export type Podcast = ResultOf<'GET /api/admin/podcasts'>['podcasts'][number];
export type Post = ResultOf<'GET /api/admin/blog'>['posts'][number];
export type Visual = ResultOf<'GET /api/admin/visuals'>['visuals'][number];
export type InsightRow = ResultOf<'GET /api/admin/insight'>[number];
export type Insight = ResultOf<'GET /api/admin/insight/{id}'>['insight'];

/** Stale time, in milliseconds: short, because several editors work at the same time. */
const FRESH = 5_000;

/** All rows of a kind. */
const rows = <Row>(kind: string, read: (signal: AbortSignal) => Promise<Row[]>) =>
  queryOptions({
    queryKey: [viewer(), 'admin', kind, 'list'] as QueryKey,
    queryFn: ({ signal }) => read(signal),
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });

/** One row, for its form. */
const row = <Row>(kind: string, id: string, read: (signal: AbortSignal) => Promise<Row>) =>
  queryOptions({ queryKey: [viewer(), 'admin', kind, 'one', id] as QueryKey, queryFn: ({ signal }) => read(signal), staleTime: 0, retryOnMount: false });

/** Invalidates the cached rows of these kinds after a change. */
export const changed = (...kinds: readonly string[]): void => {
  void readAgain(...kinds);
};

export const categoriesQuery = () => rows('categories', async (signal) => (await call('GET /api/admin/categories', { signal })).categories);
export const categoryQuery = (id: string) =>
  row('categories', id, async (signal) => (await call('GET /api/admin/categories/{id}', { path: { id }, signal })).category);

export const goalsQuery = () => rows('goals', async (signal) => (await call('GET /api/admin/goals', { signal })).goals);
export const goalQuery = (id: string) => row('goals', id, async (signal) => (await call('GET /api/admin/goals/{id}', { path: { id }, signal })).goal);

export const collectionsQuery = () => rows('collections', async (signal) => (await call('GET /api/admin/collections/list', { signal })).results);
export const collectionQuery = (id: string) =>
  row('collections', id, async (signal) => (await call('GET /api/admin/collections/detail/{id}', { path: { id }, signal })).collection);

export const podcastsQuery = () => rows('podcasts', async (signal) => (await call('GET /api/admin/podcasts', { signal })).podcasts);
export const podcastQuery = (id: string) =>
  row('podcasts', id, async (signal) => (await call('GET /api/admin/podcasts/{id}', { path: { id }, signal })).podcast);

export const postsQuery = () => rows('posts', async (signal) => (await call('GET /api/admin/blog', { signal })).posts);
export const postQuery = (postId: string) =>
  row('posts', postId, async (signal) => (await call('GET /api/admin/blog/{postId}', { path: { postId }, signal })).post);

export const visualsQuery = () => rows('visuals', async (signal) => (await call('GET /api/admin/visuals', { signal })).visuals);
export const visualQuery = (id: string) => row('visuals', id, async (signal) => (await call('GET /api/admin/visuals/{id}', { path: { id }, signal })).visual);

export const insightsQuery = () => rows('insights', (signal) => call('GET /api/admin/insight', { signal }));
export const insightQuery = (id: string) =>
  row('insights', id, async (signal) => (await call('GET /api/admin/insight/{id}', { path: { id }, signal })).insight);

/** How many books a search offers. */
const OFFERED = 20;

/** Books found by part of their title, author or id, as options. */
export const bookChoicesQuery = (q: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'books', 'choose', q],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/books', { query: { limit: OFFERED, ...(q ? { q } : { sort: 'title', order: 'asc' }) }, signal })).books,
    staleTime: 30_000,
  });
