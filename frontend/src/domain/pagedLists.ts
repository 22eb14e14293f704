// How far a list was unfolded, so that going back to it, also after a reload, finds as much of it as there was.
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '@/api/queryClient';
import { settleBeforeFirstRender } from '@/lib/firstRender';

const PREFIX = 'pith-pages:';
/** More pages than this are not fetched at once. */
const MOST = 25;

const nameOf = (key: QueryKey) => PREFIX + JSON.stringify(key);

/** How many pages of a list were open in this tab. */
export function unfolded(key: QueryKey): number {
  try {
    const stored = Number(sessionStorage.getItem(nameOf(key)));
    return Number.isInteger(stored) && stored > 1 ? Math.min(stored, MOST) : 1;
  } catch {
    return 1; // without storage a list begins at its beginning
  }
}

/** Remembers how many pages of a list are open. While another list is shown in its place nothing is known of it. */
export function useUnfolded(key: QueryKey, list: { data?: { pages: readonly unknown[] } | undefined; isPlaceholderData: boolean }): void {
  const pages = list.isPlaceholderData ? 0 : (list.data?.pages.length ?? 0);
  const name = nameOf(key);
  useEffect(() => {
    try {
      if (pages > 1) sessionStorage.setItem(name, String(pages));
    } catch {
      // see above
    }
  }, [name, pages]);
}

/** What `infiniteQueryOptions` makes of a list that is paged by a key, a text or a number. */
interface ListOptions<Page, Key> {
  queryKey: QueryKey;
  queryFn?: unknown;
  initialPageParam: Key | null;
  getNextPageParam: (last: Page, ...rest: never[]) => Key | null | undefined;
}

/**
 * For loaders: fetches a list, as far as it was unfolded before. What is there already is shown at once; a list that
 * has to be fetched page by page is waited for, so that the place in it can be found again.
 */
export async function openList<Page, Key extends string | number>(options: ListOptions<Page, Key>): Promise<null> {
  type Fetch = Parameters<typeof queryClient.infiniteQuery>[0];
  const { queryKey } = options;
  const wanted = unfolded(queryKey);
  const there = queryClient.getQueryData<InfiniteData<Page>>(queryKey)?.pages.length ?? 0;
  if (wanted <= 1 || there >= wanted) return settleBeforeFirstRender(queryClient.infiniteQuery(options as unknown as Fetch));
  const all = { ...options, pages: wanted, staleTime: 0 } as unknown as Fetch;
  await Promise.allSettled([queryClient.infiniteQuery(all)]);
  return null;
}
