// What can be bought and what it costs. The server computes every amount (billing.server-prices).
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type CheckoutSettings = ResultOf<'GET /api/charge/settings'>;
export type Plan = CheckoutSettings['plans'][number];
export type Quote = ResultOf<'POST /api/charge/price'>;

/** What is bought. `quantity` null: the minimum of one purchase. */
export interface Cart {
  planId: string;
  quantity: number | null;
  addInfographics: number;
  /** A guest's e-mail address, once typed, to check whether it has had its trial; '' when not. */
  email?: string;
}

/** The plans with their prices, and which payment methods this site accepts. */
export const checkoutSettingsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'checkout-settings'],
    queryFn: ({ signal }) => call('GET /api/charge/settings', { signal }),
    staleTime: 5 * 60_000,
  });

const bodyOf = ({ planId, quantity, addInfographics, email = '' }: Cart) => ({
  planId,
  ...(quantity !== null && { quantity }),
  ...(addInfographics > 0 && { addInfographics }),
  ...(email !== '' && { email }),
});

/** What a cart costs, with a coupon ('' for none). Short stale time: trials and prices change. */
export const quoteQuery = (cart: Cart, coupon = '') =>
  queryOptions({
    queryKey: [viewer(), 'quote', cart, coupon],
    queryFn: ({ signal }) =>
      coupon === ''
        ? call('POST /api/charge/price', { body: bodyOf(cart), signal })
        : call('POST /api/charge/coupon', { body: { ...bodyOf(cart), coupon }, signal }),
    staleTime: 10_000,
    gcTime: 60_000,
    retryOnMount: false,
  });

/** The plan with this id; the purchase of a single book has the plan of all books. */
export const planOf = (plans: readonly Plan[], planId: string): Plan | undefined =>
  plans.find(({ id }) => id === planId) ?? (planId.startsWith('book-') ? plans.find(({ id }) => id === 'book') : undefined);
