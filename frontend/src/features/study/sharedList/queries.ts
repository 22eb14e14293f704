import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type SharedList = ResultOf<'GET /api/lists/{slug}'>['list'];

/** Stale times, in milliseconds: what a member has finished, or has changed of a list of their own, is shown when they come back to it. */
const FRESH = { member: 5_000, visitor: 60_000 };

/** A list that its owner shares, by the last part of its URL. */
export const sharedListQuery = (slug: string) =>
  queryOptions({
    queryKey: [viewer(), 'list', slug],
    queryFn: ({ signal }) => call('GET /api/lists/{slug}', { path: { slug }, signal }),
    staleTime: FRESH[viewer()],
  });

/** Follows a shared list, or stops following it. */
export async function setFollowed(slug: string, follow: boolean): Promise<void> {
  const path = { slug };
  const { isFollowed } = await (follow ? call('PUT /api/lists/{slug}/follow', { path }) : call('DELETE /api/lists/{slug}/follow', { path }));
  queryClient.setQueryData(sharedListQuery(slug).queryKey, (seen) => seen && { ...seen, list: { ...seen.list, isFollowed } });
  // The page of the member's lists shows those that they follow.
  void queryClient.invalidateQueries({ queryKey: [viewer(), 'lists'] });
}

/** The toast's text when the undo of leaving a list has failed. */
export const followAgainError = (name: string, error: unknown): string => `“${name}” could not be followed again. ${messageOf(error)}`;
