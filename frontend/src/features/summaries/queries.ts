import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { ApiError, GENERAL_FAILURE } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type ShownSummary = ResultOf<'GET /api/ai/summaries/{id}'>;
export type Summary = ShownSummary['summary'];
export type Idea = NonNullable<ShownSummary['ideas']>[number];
export type Paragraph = NonNullable<ShownSummary['text']>[number];

/** Polling interval of a summary in progress, in milliseconds. */
const POLL = 1000;
/** Polling interval of the list while it has summaries in progress, in milliseconds. */
const POLL_LIST = 3000;
/** Page size of the list. */
const PAGE = 20;

export const isUnderWay = ({ state }: Pick<Summary, 'state'>): boolean => state !== 'done' && state !== 'failed';

/** A summary; polled while it is in progress. */
export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'own-summary', id],
    queryFn: ({ signal }) => call('GET /api/ai/summaries/{id}', { path: { id }, signal }),
    // An error ends the polling: the page shows it, and its retry starts the polling again.
    refetchInterval: ({ state }) => (state.data && !state.error && isUnderWay(state.data.summary) ? POLL : false),
    retryOnMount: false,
  });

/** The member's summaries by page, newest first. `q`: words that all of them contain. */
export const summariesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'own-summaries', q],
    queryFn: ({ pageParam, signal }) => call('GET /api/ai/summaries', { query: { q, limit: PAGE, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => (!state.error && state.data?.pages.some((page) => page.summaries.some(isUnderWay)) ? POLL_LIST : false),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

/** The member's newest summary, polled: while a request waits for one, this is how far it is. `null`: there is none. */
export const newestSummaryQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'newest-summary'],
    queryFn: async ({ signal }) => (await call('GET /api/ai/summaries', { query: { limit: 1 }, signal })).summaries[0] ?? null,
    refetchInterval: POLL,
    gcTime: 0,
  });

/** Invalidates the list, after a change on the server. */
export const invalidateSummaries = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [viewer(), 'own-summaries'] });

const UNEXPECTED = 'There was an unexpected error. Try again later.';

/** The server's message, or the specification's if there is none (summaries.failure-texts). */
export const summariserMessageOf = (error: unknown): string => (error instanceof ApiError && error.message !== GENERAL_FAILURE ? error.message : UNEXPECTED);

/** Whether the server refused because the member has no plan. */
export const isPlanRequired = (error: unknown): boolean => error instanceof ApiError && (error.code === 'upgrade_required' || error.code === 'plan_required');

export const PLAN_TEXT = 'Please upgrade to have your own pages and files summarized.';
