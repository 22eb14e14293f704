// The banner, the pages and the quizzes.
import { queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Banner = ResultOf<'GET /api/admin/banner'>['banner'];
export type SitePage = ResultOf<'GET /api/admin/pages/{id}'>['page'];
export type Quiz = ResultOf<'GET /api/admin/quiz/{kind}'>['quiz'];
export type QuizKind = 'intelligence' | 'personality';

/** Stale time, in milliseconds: short, because several editors work at the same time. */
const FRESH = 5_000;

export const bannerQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'banner'] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/banner', { signal })).banner,
    staleTime: 0,
    retryOnMount: false,
  });

/** The pages in order, with an index as their id in lists. */
export const pagesQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'pages', 'list'] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/pages', { signal })).pages.map((page, n) => ({ ...page, slug: page.id, id: n + 1 })),
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });
export type PageRow = Awaited<ReturnType<NonNullable<ReturnType<typeof pagesQuery>['queryFn']>>>[number];

export const pageQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'pages', 'one', id] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/pages/{id}', { path: { id }, signal })).page,
    staleTime: 0,
    retryOnMount: false,
  });

export const quizQuery = (kind: QuizKind) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'quiz', kind] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/quiz/{kind}', { path: { kind }, signal })).quiz,
    staleTime: 0,
    retryOnMount: false,
  });
