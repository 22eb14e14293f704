import { call } from '@/api/client';
import type { ResultOf } from '@/api/types';
import { pagedQuery } from '@/features/admin/paged';

/** A list of books of a member that is public or was taken down, or was found by its link. */
export type SharedList = ResultOf<'GET /api/admin/lists'>['lists'][number];

/** The lists, the latest shared first. */
export const sharedListsQuery = (filter: { q?: string }) =>
  pagedQuery('lists', filter, (after, signal) => call('GET /api/admin/lists', { query: { ...filter, ...after }, signal }));

/** Takes a list down, or allows that it is shared again. */
export const setTakenDown = ({ key }: SharedList, isTakenDown: boolean) => call('PUT /api/admin/lists/{key}', { path: { key }, body: { isTakenDown } });
