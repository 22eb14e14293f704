import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Refers = ResultOf<'GET /api/user/refers'>;
export type Affiliate = ResultOf<'GET /api/affiliate'>;

/** The member's referral link, its clicks, the friends who subscribed, and the earnings. */
export const refersQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'refers'],
    queryFn: ({ signal }) => call('GET /api/user/refers', { signal }),
    staleTime: 10_000,
    retryOnMount: false,
  });

/** The member's data in the affiliate program. */
export const affiliateQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'affiliate'],
    queryFn: ({ signal }) => call('GET /api/affiliate', { signal }),
    staleTime: 10_000,
    retryOnMount: false,
  });
