// The member's own record: asked for on many screens, kept once.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

export const accountQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'account'],
    queryFn: async ({ signal }) => (await call('GET /api/user/account', { signal })).user,
    // The loader has just asked: what failed there is shown, not asked again at once.
    retryOnMount: false,
  });

/** What a member without a plan may still open, and what stays open. Every book that is opened changes it. */
export const allowanceQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'allowance'],
    queryFn: ({ signal }) => call('GET /api/user/allowance', { signal }),
    staleTime: 0,
    retryOnMount: false,
  });
