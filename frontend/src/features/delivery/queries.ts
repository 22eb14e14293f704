import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type File = ResultOf<'GET /api/books/{id}/file'>;
export type Delivery = ResultOf<'GET /api/kindle/deliveries'>['deliveries'][number];

/** Polling interval of the log while a delivery is queued, in milliseconds. */
const LOOK = 3_000;
/** How many books are offered. */
const OFFERED = 8;
/** Stale time, in milliseconds: short, because opening a book changes whether its file may be downloaded. */
const FILE_LASTS = 5_000;

/** A book and whether its file may be downloaded. Does not open the book or use the allowance (delivery.file-check). */
export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'file', id],
    queryFn: ({ signal }) => call('GET /api/books/{id}/file', { path: { id }, signal }),
    staleTime: FILE_LASTS,
    retryOnMount: false,
  });

/** The e-mail address of the member's e-reader, and the sender to approve there. */
export const kindleQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'kindle'],
    queryFn: ({ signal }) => call('GET /api/kindle/has-kindle', { signal }),
    retryOnMount: false,
  });

/** The deliveries to the e-reader, newest first. */
export const deliveriesQuery = () =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'deliveries'],
    queryFn: ({ pageParam, signal }) => call('GET /api/kindle/deliveries', { query: { ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? null,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.deliveries.some((one) => one.state === 'queued')) ? LOOK : false),
    retryOnMount: false,
  });

export const invalidateDeliveries = (): Promise<void> => queryClient.invalidateQueries({ queryKey: deliveriesQuery().queryKey });

/** Books to choose from: search results, or the newest books when the search is empty. */
export const offeredQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'offered', q],
    queryFn: ({ pageParam, signal }) => call('GET /api/books/list', { query: { q, limit: OFFERED, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? null,
    select: ({ pages }) => pages.flatMap(({ books, order }) => order.flatMap((subid) => books[subid] ?? [])).filter((book) => !book.comingSoon),
    placeholderData: keepPreviousData,
  });
