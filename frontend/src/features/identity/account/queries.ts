import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf, User } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { securityQuery } from '@/shared/session/security';
import type { Security } from '@/shared/session/security';
import { queryOptions } from '@tanstack/react-query';

export type Passkey = Security['passkeys'][number];
export type Device = ResultOf<'GET /api/user/sessions'>['sessions'][number];

export const devicesQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'devices'],
    queryFn: async ({ signal }) => (await call('GET /api/user/sessions', { signal })).sessions,
    staleTime: 5_000,
    retryOnMount: false,
  });

/** After a change of the account: updates its cache entry and invalidates home, which shows the name. */
export function cacheUser(user: User): void {
  queryClient.setQueryData(accountQuery().queryKey, user);
  queryClient.removeQueries({ queryKey: [viewer(), 'home'] });
}

/** An optimistic update of {@link Security}; returns the function that rolls it back. */
export async function updateSecurityOptimistically(change: (now: Security) => Security): Promise<() => void> {
  const { queryKey } = securityQuery();
  await queryClient.cancelQueries({ queryKey });
  const before = queryClient.getQueryData(queryKey);
  if (before) queryClient.setQueryData(queryKey, change(before));
  return () => queryClient.setQueryData(queryKey, before);
}

export const invalidateSecurity = (): Promise<void> => queryClient.invalidateQueries({ queryKey: securityQuery().queryKey });
export const invalidateDevices = (): Promise<void> => queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
