import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** The front page in one call; the server seeds it under the visitor's key. */
export const frontQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'front'],
    queryFn: ({ signal }) => call('GET /api/front', { signal }),
    staleTime: 5 * 60_000,
  });
