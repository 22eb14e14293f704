import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** The front page's data in one call. The server seeds it under the visitor's key. */
export const frontQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'front'],
    queryFn: ({ signal }) => call('GET /api/front', { signal }),
    staleTime: 5 * 60_000,
  });
