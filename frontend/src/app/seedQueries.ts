// The first query's data, as a visitor sees it, comes with the page: no second round trip.
import { queryClient } from '@/api/queryClient';
import { readBlock } from '@/api/site';

interface Seed {
  queries: { key: readonly unknown[]; data: unknown }[];
}

/** Which answers are the first page of a list. */
const LISTS: readonly unknown[] = ['books', 'blog', 'podcasts', 'visuals', 'infographics', 'collections'];

/** Lists are kept by page; the first one is the server's. */
const asPages = (data: unknown) => ({ pages: [data], pageParams: [null] });

export function seedQueries(): void {
  const seed = readBlock('pith-data') as Seed | null;
  for (const { key, data } of seed?.queries ?? []) {
    queryClient.setQueryData(key, LISTS.includes(key[1]) ? asPages(data) : data);
  }
}
