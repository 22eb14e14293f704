// Lists of the back office that come by pages: one query for all of them.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { queryClient, viewer } from '@/api/queryClient';

/** Stale time, in milliseconds: several admins work at the same time. */
const FRESH = 5_000;

interface Page {
  /** The key of the next page. */
  next: string | null;
}

/** A list by its key and filter; `fetchPage` gets `{ after }` for all pages but the first. */
export const pagedQuery = <P extends Page>(key: string, filter: object, fetchPage: (after: { after?: string }, signal: AbortSignal) => Promise<P>) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'admin', key, filter] as const,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === null ? {} : { after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: P) => page.next,
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    // Filtering keeps the table, and with it the focus, until the rows are there.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

/** Reads a list again, whatever its filter, and what was read of its rows. */
export const readAgain = (...keys: readonly string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [viewer(), 'admin', key] })));
