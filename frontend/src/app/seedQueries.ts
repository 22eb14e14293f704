// The page carries the first query's data, as a visitor sees it, so that no second round trip is needed.
import { queryClient } from '@/api/queryClient';
import { readBlock } from '@/lib/site';

interface Seed {
  queries: { key: readonly unknown[]; data: unknown }[];
}

/** The queries whose data is the first page of a list. */
const LISTS: readonly unknown[] = ['books', 'blog', 'podcasts', 'visuals', 'infographics', 'collections'];

/** Lists are cached by page; the server sends the first one. */
const asPages = (data: unknown) => ({ pages: [data], pageParams: [null] });

export function seedQueries(): void {
  const seed = readBlock('pith-data') as Seed | null;
  for (const { key, data } of seed?.queries ?? []) {
    queryClient.setQueryData(key, LISTS.includes(key[1]) ? asPages(data) : data);
  }
}
