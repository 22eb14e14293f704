import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type SharedList = ResultOf<'GET /api/lists/{address}'>['list'];

/** Stale times, in milliseconds: what a member has finished, or has changed of a list of their own, is shown when they come back to it. */
const FRESH = { member: 5_000, visitor: 60_000 };

/** A list that its owner shares, by the last part of its URL. */
export const sharedListQuery = (address: string) =>
  queryOptions({
    queryKey: [viewer(), 'list', address],
    queryFn: ({ signal }) => call('GET /api/lists/{address}', { path: { address }, signal }),
    staleTime: FRESH[viewer()],
  });

/** Follows a shared list, or stops following it. */
export async function setFollowed(address: string, follow: boolean): Promise<void> {
  const path = { address };
  const { isFollowed } = await (follow ? call('PUT /api/lists/{address}/follow', { path }) : call('DELETE /api/lists/{address}/follow', { path }));
  queryClient.setQueryData(sharedListQuery(address).queryKey, (seen) => seen && { ...seen, list: { ...seen.list, isFollowed } });
  // The page of the member's lists shows those that they follow.
  void queryClient.invalidateQueries({ queryKey: [viewer(), 'lists'] });
}
