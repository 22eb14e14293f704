import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type TeamList = ResultOf<'GET /api/team-lists/{id}'>['list'];
/** A member of the team who shows which books they have finished. */
export type SharingMember = TeamList['members'][number];

/** Stale time, in milliseconds: what the member has finished is shown when they come back to the list. */
const FRESH = 5_000;

/** A list that the buyer of seats has given to their team. */
export const teamListQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'team-list', id],
    queryFn: ({ signal }) => call('GET /api/team-lists/{id}', { path: { id }, signal }),
    staleTime: FRESH,
  });
