import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import type { Range } from '@/features/admin/stats/range';

export type Stats = ResultOf<'GET /api/admin/stats'>;
export type StatsDay = Stats['days'][number];
export type BookStats = ResultOf<'GET /api/admin/stats/books/{bookId}'>;

/** Stale time, in milliseconds: a job updates the daily counts, today's every few minutes. */
const FRESH = 60_000;

export const statsQuery = ({ from, to }: Pick<Range, 'from' | 'to'>) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'stats', from, to],
    queryFn: ({ signal }) => call('GET /api/admin/stats', { query: { from, to }, signal }),
    staleTime: FRESH,
    // A change of the range keeps the charts until the new data is loaded.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

/** How far the readers of one book got. */
export const bookStatsQuery = (bookId: string, { from, to }: Pick<Range, 'from' | 'to'>) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'stats', 'book', bookId, from, to],
    queryFn: ({ signal }) => call('GET /api/admin/stats/books/{bookId}', { path: { bookId }, query: { from, to }, signal }),
    staleTime: FRESH,
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });
