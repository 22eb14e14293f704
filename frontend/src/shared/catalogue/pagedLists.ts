// Paginated lists. Remembers how many pages of each were loaded, so that going back to a list or reloading it shows as many.
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '@/api/queryClient';
import { settleBeforeFirstRender } from '@/lib/firstRender';

const PREFIX = 'pith-pages:';
/** At most this many pages are fetched at once. */
const MOST = 25;

const nameOf = (key: QueryKey) => PREFIX + JSON.stringify(key);

/** How many pages of a list were loaded in this tab; 1 when unknown. */
export function rememberedPages(key: QueryKey): number {
  try {
    const stored = Number(sessionStorage.getItem(nameOf(key)));
    return Number.isInteger(stored) && stored > 1 ? Math.min(stored, MOST) : 1;
  } catch {
    return 1; // without storage
  }
}

/** Stores how many pages of a list are loaded, except while placeholder data of another list is shown. */
export function useRememberPages(key: QueryKey, list: { data?: { pages: readonly unknown[] } | undefined; isPlaceholderData: boolean }): void {
  const pages = list.isPlaceholderData ? 0 : (list.data?.pages.length ?? 0);
  const name = nameOf(key);
  useEffect(() => {
    try {
      if (pages > 1) sessionStorage.setItem(name, String(pages));
    } catch {
      // without storage the list starts at one page
    }
  }, [name, pages]);
}

/** The result of `infiniteQueryOptions` for a list whose page key is a string or a number. */
interface ListOptions<Page, Key> {
  queryKey: QueryKey;
  queryFn?: unknown;
  initialPageParam: Key | null;
  getNextPageParam: (last: Page, ...rest: never[]) => Key | null | undefined;
}

/**
 * For loaders: fetches as many pages of a list as were loaded before. A cached list is shown at once; one that has to be
 * fetched page by page is awaited, so that the scroll position can be restored.
 */
export async function loadList<Page, Key extends string | number>(options: ListOptions<Page, Key>): Promise<null> {
  type Fetch = Parameters<typeof queryClient.infiniteQuery>[0];
  const { queryKey } = options;
  const wanted = rememberedPages(queryKey);
  const there = queryClient.getQueryData<InfiniteData<Page>>(queryKey)?.pages.length ?? 0;
  if (wanted <= 1 || there >= wanted) return settleBeforeFirstRender(queryClient.infiniteQuery(options as unknown as Fetch));
  const all = { ...options, pages: wanted, staleTime: 0 } as unknown as Fetch;
  await Promise.allSettled([queryClient.infiniteQuery(all)]);
  return null;
}
