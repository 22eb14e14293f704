// The member's account: one cache entry for many pages.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { hintPaid } from '@/api/hints';
import { queryClient, viewer } from '@/api/queryClient';
import { copiesOwner } from '@/shared/offline/copiesOwner';

export const accountQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'account'],
    queryFn: async ({ signal }) => {
      const { user } = await call('GET /api/user/account', { signal });
      hintPaid(user.isPaid);
      return user;
    },
    // The loader has just fetched it: a failure is shown, not retried at once.
    retryOnMount: false,
  });

/** The id of the signed-in member; null when no response has named one yet. */
export const currentMember = (): number | null => queryClient.getQueryData(accountQuery().queryKey)?.id ?? copiesOwner.current()?.member ?? null;

/** The allowance of a member without a plan, and the books that stay open. It changes with each book that is opened. */
export const allowanceQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'allowance'],
    queryFn: ({ signal }) => call('GET /api/user/allowance', { signal }),
    staleTime: 0,
    retryOnMount: false,
  });
