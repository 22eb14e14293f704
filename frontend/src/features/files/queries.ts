import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Delivery = ResultOf<'GET /api/kindle/deliveries'>['deliveries'][number];

/** How often the log is asked for while something is on its way. Milliseconds. */
const LOOK = 3_000;
/** Books that are offered at once. */
const OFFERED = 8;

/** Where the member's e-reader takes mail, and which sender is to be approved there. */
export const kindleQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'kindle'],
    queryFn: ({ signal }) => call('GET /api/kindle/has-kindle', { signal }),
    retryOnMount: false,
  });

/** What was sent to the e-reader, the newest first. */
export const deliveriesQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'deliveries'],
    queryFn: ({ pageParam, signal }) => call('GET /api/kindle/deliveries', { query: { ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? null,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.deliveries.some((one) => one.state === 'queued')) ? LOOK : false),
    retryOnMount: false,
  });

export const renewDeliveries = (): Promise<void> => queryClient.invalidateQueries({ queryKey: deliveriesQuery().queryKey });

/** Books to choose from: those that are found, or what is new while nothing is typed. */
export const offeredQuery = (q: string) =>
  queryOptions({
    queryKey: [viewer(), 'offered', q],
    queryFn: async ({ signal }) => {
      const { books, order } = await call('GET /api/books/list', { query: { q, limit: OFFERED }, signal });
      return order.flatMap((subid) => books[subid] ?? []).filter((book) => !book.comingSoon);
    },
    placeholderData: keepPreviousData,
  });
