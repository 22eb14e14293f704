import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

/**
 * What the server alone knows: the lists that a member follows, those of their team, who follows theirs, which of their books they have
 * finished, and the seats that they have bought.
 */
export type OtherLists = ResultOf<'GET /api/study/lists'>;
export type FollowedList = OtherLists['followed'][number];
export type TeamList = OtherLists['team'][number];

/** Stale time, in milliseconds: what the member has finished, and who follows, is shown when they come back to a list. */
const FRESH = 5_000;

export const otherListsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'lists'],
    queryFn: ({ signal }) => call('GET /api/study/lists', { signal }),
    staleTime: FRESH,
    // The loader has just fetched it: a failure is shown, not retried at once.
    retryOnMount: false,
  });

/** How many members follow an own list. */
export const followersOf = (others: OtherLists | undefined, id: number): number => others?.followers.find((one) => one.id === id)?.members ?? 0;

/** The ids of the books on own lists that the member has finished. */
export const finishedQuery = () => ({ ...otherListsQuery(), select: ({ finished }: OtherLists) => finished });
