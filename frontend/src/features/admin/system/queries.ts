import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type System = ResultOf<'GET /api/admin/system'>;

/** Time between two refreshes while the page is visible, in milliseconds. */
const REFRESH = 15_000;

/** The state of the instance: nodes, queue, mail, files, backup, certificate and webhooks, and what is wrong with them. */
export const systemQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'system'],
    queryFn: ({ signal }) => call('GET /api/admin/system', { signal }),
    staleTime: 5_000,
    refetchInterval: REFRESH,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });
