import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Plan = ResultOf<'GET /api/admin/plans'>['plans'][number];

export const plansQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'plans'],
    queryFn: async ({ signal }): Promise<Plan[]> => (await call('GET /api/admin/plans', { signal })).plans,
    staleTime: 5_000,
    retryOnMount: false,
  });

/** Whether codes can give this plan. */
export const canBeGiven = ({ kind }: Plan): boolean => kind === 'monthly' || kind === 'yearly' || kind === 'lifetime';
