// The member's sign-in methods: one cache entry.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Security = ResultOf<'GET /api/user/security'>;

/** The member's sign-in methods: password, second factor, passkeys, providers. */
export const securityQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'security'],
    queryFn: ({ signal }) => call('GET /api/user/security', { signal }),
    retryOnMount: false,
  });
