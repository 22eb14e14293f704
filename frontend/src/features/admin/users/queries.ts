import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { RequestOf, ResultOf } from '@/api/types';

export type UserRow = ResultOf<'GET /api/admin/user/{start}'>['users'][number];
export type UserDetail = ResultOf<'GET /api/admin/user/edit/{userId}'>['user'][number];
type UsersQuery = NonNullable<RequestOf<'GET /api/admin/user/{start}'>['query']>;
export type UsersFilter = Omit<UsersQuery, 'after'>;

/** Members per page (admin.people-pages). */
export const USERS_PAGE = 100;

export const ROLES = [
  { value: 'member', label: 'Members' },
  { value: 'editor', label: 'Editors' },
  { value: 'admin', label: 'Admins' },
] as const;
export const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;
export const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'unconfirmed', label: 'Not confirmed' },
] as const;

/** The filters in the URL; unknown values are ignored. */
export function usersFilter(search: URLSearchParams): UsersFilter {
  const q = search.get('q')?.trim();
  const role = ROLES.find(({ value }) => value === search.get('role'))?.value;
  const plan = PLANS.find(({ value }) => value === search.get('plan'))?.value;
  const state = STATES.find(({ value }) => value === search.get('state'))?.value;
  return { ...(q && { q }), ...(role && { role }), ...(plan && { plan }), ...(state && { state }) };
}

const usersKey = () => [viewer(), 'admin', 'users'] as const;

/** The members, newest first. */
export const usersQuery = (filter: UsersFilter) =>
  infiniteQueryOptions({
    queryKey: [...usersKey(), filter],
    queryFn: ({ pageParam: { start, after }, signal }) =>
      call('GET /api/admin/user/{start}', { path: { start: String(start) }, query: { ...filter, ...(after !== null && { after }) }, signal }),
    initialPageParam: { start: 0, after: null as string | null },
    getNextPageParam: ({ next }, pages) => (next === null ? null : { start: pages.length * USERS_PAGE, after: next }),
    staleTime: 5_000,
    // Sorting and filtering keep the table, and with it the focus, until the new rows are loaded.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

/** A member with all account data that an admin may see. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey(), 'one', id],
    queryFn: async ({ signal }) => {
      const { user } = await call('GET /api/admin/user/edit/{userId}', { path: { userId: id }, signal });
      return user[0] ?? null;
    },
    staleTime: 0,
    retryOnMount: false,
  });

/** Invalidates the lists. */
export const usersChanged = (): void => void queryClient.invalidateQueries({ queryKey: usersKey(), refetchType: 'none' });

/** Caches a member from the server's response, and invalidates the lists. */
export function cacheMember(user: UserDetail): void {
  queryClient.setQueryData(userQuery(String(user.id)).queryKey, user);
  usersChanged();
}
