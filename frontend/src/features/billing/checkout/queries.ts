import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** Polling interval of a payment that is being confirmed, in milliseconds. */
const PENDING_INTERVAL = 3000;

/** The state of a submitted checkout. A guest is authorized by the `chargeId`. */
export const checkoutQuery = (reference: string, chargeId: string | null) =>
  queryOptions({
    queryKey: [viewer(), 'checkout', reference, chargeId],
    queryFn: ({ signal }) => call('GET /api/charge/checkout/{reference}', { path: { reference }, ...(chargeId !== null && { query: { chargeId } }), signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_INTERVAL : false),
  });
