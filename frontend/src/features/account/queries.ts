import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

export const accountQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'account'],
    queryFn: ({ signal }) => call('GET /api/user/account', { signal }),
  });
