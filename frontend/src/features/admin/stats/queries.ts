import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import type { Range } from '@/features/admin/stats/range';

export type Stats = ResultOf<'GET /api/admin/stats'>;
export type StatsDay = Stats['days'][number];
export type BookStats = ResultOf<'GET /api/admin/stats/books/{bookId}'>;

/** The counts of a day are kept by a job: they change with the day, today's within minutes. */
const FRESH = 60_000;

export const statsQuery = ({ from, to }: Pick<Range, 'from' | 'to'>) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'stats', from, to],
    queryFn: ({ signal }) => call('GET /api/admin/stats', { query: { from, to }, signal }),
    staleTime: FRESH,
    // Other days keep the charts until theirs are there.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

/** How far the readers of one book came. */
export const bookStatsQuery = (bookId: string, { from, to }: Pick<Range, 'from' | 'to'>) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'stats', 'book', bookId, from, to],
    queryFn: ({ signal }) => call('GET /api/admin/stats/books/{bookId}', { path: { bookId }, query: { from, to }, signal }),
    staleTime: FRESH,
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });
