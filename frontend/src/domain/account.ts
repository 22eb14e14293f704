// The member's account, which many screens read from one cache entry.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

export const accountQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'account'],
    queryFn: async ({ signal }) => (await call('GET /api/user/account', { signal })).user,
    // The loader has just fetched it: its failure is shown, not retried at once.
    retryOnMount: false,
  });

/** The allowance of a member without a plan, and the books that stay open. Each book that is opened changes it. */
export const allowanceQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'allowance'],
    queryFn: ({ signal }) => call('GET /api/user/allowance', { signal }),
    staleTime: 0,
    retryOnMount: false,
  });
