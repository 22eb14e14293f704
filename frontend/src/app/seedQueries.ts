// Seeds the query cache with the data that the server embeds in the page, as a visitor sees it, to save a round trip.
import { queryClient } from '@/api/queryClient';
import { readBlock } from '@/lib/site';

interface Seed {
  queries: { key: readonly unknown[]; data: unknown }[];
}

/** Queries of paginated lists: the embedded data is their first page. */
const LISTS: readonly unknown[] = ['books', 'blog', 'podcasts', 'visuals', 'infographics', 'collections'];

/** The shape of an infinite query with one page. */
const asPages = (data: unknown) => ({ pages: [data], pageParams: [null] });

export function seedQueries(): void {
  const seed = readBlock('pith-data') as Seed | null;
  for (const { key, data } of seed?.queries ?? []) {
    queryClient.setQueryData(key, LISTS.includes(key[1]) ? asPages(data) : data);
  }
}
