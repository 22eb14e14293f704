import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** The member's own record; the preferences page keeps it current under the same key. */
export const accountQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'account'],
    queryFn: async ({ signal }) => (await call('GET /api/user/account', { signal })).user,
    // The loader has just asked: what failed there is shown, not asked again at once.
    retryOnMount: false,
  });
