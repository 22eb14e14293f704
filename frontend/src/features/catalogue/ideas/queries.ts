import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type IdeaLink = ResultOf<'GET /api/idea-map/{category}'>['links'][number];
export type LinkKind = IdeaLink['kind'];

/** Editors change links rarely. */
const KEPT = 10 * 60_000;

/** The topics of the idea map. */
export const ideaMapQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'idea-map'],
    queryFn: ({ signal }) => call('GET /api/idea-map', { signal }),
    staleTime: KEPT,
  });

/** The idea map of a topic. */
export const ideaTopicQuery = (category: string) =>
  queryOptions({
    queryKey: [viewer(), 'idea-map', category],
    queryFn: ({ signal }) => call('GET /api/idea-map/{category}', { path: { category }, signal }),
    staleTime: KEPT,
  });
