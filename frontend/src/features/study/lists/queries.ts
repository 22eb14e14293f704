import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { LibraryBook, ResultOf } from '@/api/types';

/** What the server alone knows: the lists that a member follows, those of their team, who follows theirs, and the seats that they have bought. */
export type OtherLists = ResultOf<'GET /api/study/lists'>;
export type FollowedList = OtherLists['followed'][number];
export type TeamList = OtherLists['team'][number];

export const otherListsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'lists'],
    queryFn: ({ signal }) => call('GET /api/study/lists', { signal }),
    // The loader has just fetched it: a failure is shown, not retried at once.
    retryOnMount: false,
  });

/** How many members follow an own list. */
export const followersOf = (others: OtherLists | undefined, id: number): number => others?.followers.find((one) => one.id === id)?.members ?? 0;

/** The most pages of finished books that are read. */
const FINISHED_PAGES = 10;

/** The ids of the books that the member has finished. */
export const finishedQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'finished'],
    queryFn: async ({ signal }) => {
      const finished: LibraryBook[] = [];
      let after: string | null = null;
      for (let page = 0; page < FINISHED_PAGES; page += 1) {
        const { books, next }: ResultOf<'GET /api/library'> = await call('GET /api/library', {
          query: { shelf: 'finished' as const, limit: 100, ...(after !== null && { after }) },
          signal,
        });
        finished.push(...books);
        if (next === null) break;
        after = next;
      }
      return finished.map(({ id }) => id);
    },
    // A book may have been finished since.
    staleTime: 0,
  });
