import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** How often a payment that is being confirmed is asked for, in milliseconds. */
const PENDING_INTERVAL = 3000;

/** The state of a checkout: one that was left, or the one that has just ended. A guest proves it with the `chargeId`. */
export const checkoutQuery = (reference: string, chargeId: string | null) =>
  queryOptions({
    queryKey: [viewer(), 'checkout', reference, chargeId],
    queryFn: ({ signal }) => call('GET /api/charge/checkout/{reference}', { path: { reference }, ...(chargeId !== null && { query: { chargeId } }), signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_INTERVAL : false),
  });
