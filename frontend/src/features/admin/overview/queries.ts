import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type ContentOverview = ResultOf<'GET /api/admin/content-overview'>;
export type OverviewBook = ContentOverview['scheduled']['books'][number];

export const contentOverviewQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'content-overview'],
    queryFn: ({ signal }) => call('GET /api/admin/content-overview', { signal }),
    // Editors come back to it after each thing that they have mended.
    staleTime: 0,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });
