// The query options shared by all paginated lists of the back office.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { queryClient, viewer } from '@/api/queryClient';

/** Stale time, in milliseconds: short, because several admins work at the same time. */
const FRESH = 5_000;

interface Page {
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** A list, by its key and filter; `fetchPage` gets `{ after }` for all pages but the first. */
export const pagedQuery = <P extends Page>(key: string, filter: object, fetchPage: (after: { after?: string }, signal: AbortSignal) => Promise<P>) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'admin', key, filter] as const,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === null ? {} : { after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: P) => page.next,
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    // Filtering keeps the table, and with it the focus, until the new rows are loaded.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

/** Invalidates lists, whatever their filters, and the cached rows of the same keys. */
export const readAgain = (...keys: readonly string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [viewer(), 'admin', key] })));
