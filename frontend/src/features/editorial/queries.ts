import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type BlogResult = ResultOf<'GET /api/blog'>;
export type Post = BlogResult['posts'][number];
export type PodcastsResult = ResultOf<'GET /api/podcasts'>;
export type Podcast = PodcastsResult['podcasts'][number];

/** Stale time of editorial content, which changes rarely, in milliseconds. */
const staleTime = 10 * 60_000;

/** Posts by page, all ('') or of one category. The server seeds the first page under the visitor's key. */
export const blogQuery = (category: string) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'blog', category],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/blog', { query: { ...(category && { category }), ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: BlogResult) => last.next,
    staleTime,
  });

export const postQuery = (slug: string) =>
  queryOptions({
    queryKey: [viewer(), 'post', slug],
    queryFn: ({ signal }) => call('GET /api/blog/{slug}', { path: { slug }, signal }),
    staleTime,
  });

export const podcastsQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'podcasts'],
    queryFn: ({ pageParam, signal }) => call('GET /api/podcasts', { query: { ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: PodcastsResult) => last.next,
    staleTime,
  });

export const podcastQuery = (slug: string) =>
  queryOptions({
    queryKey: [viewer(), 'podcast', slug],
    queryFn: ({ signal }) => call('GET /api/podcasts/{slug}', { path: { slug }, signal }),
    staleTime,
  });

/** A site page: about, terms, privacy. */
export const sitePageQuery = (slug: string) =>
  queryOptions({
    queryKey: [viewer(), 'page', slug],
    queryFn: ({ signal }) => call('GET /api/pages/{slug}', { path: { slug }, signal }),
    staleTime,
  });
