// The cart of a checkout: what is chosen, most of which stands in the address, and the sum that the server says for it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { checkoutSettingsQuery, planOf, quoteQuery } from '@/shared/payment/checkout';
import type { CheckoutSettings, Plan, Quote } from '@/shared/payment/checkout';

/** A cart whose sum is known. */
export interface PricedCart {
  planId: string;
  plan: Plan | undefined;
  settings: CheckoutSettings;
  /** Of the choices with the coupon, or without it where it does not count. While others are asked for it is that of the last ones. */
  quote: Quote;
  /** Whether the sum of other choices is asked for. */
  isUpdating: boolean;
  /** Whether any sum is asked for, also that of the same choices. */
  isRefreshing: boolean;
  /** Asks for the sum again: the one that is shown is another by now. */
  refresh: () => void;
  coupon: Coupon;
  infographics: { chosen: number; choose: (count: number) => void };
  quantity: Quantity;
  /** A guest has typed their address. */
  setEmail: (email: string) => void;
}

interface Coupon {
  /** The code in the address; '' without one. */
  code: string;
  /** The quote with it; undefined while it is asked for, or when it does not count. */
  applied: Quote | undefined;
  isBusy: boolean;
  error: unknown;
  choose: (code: string) => void;
}

interface Quantity {
  min: number;
  max: number;
  /** What stands in the field. */
  typed: string;
  /** What is wrong with it; null while nothing is. */
  problem: string | null;
  /** Whether the problem is to be shown: not during typing. */
  isTouched: boolean;
  type: (value: string) => void;
  touch: () => void;
}

/** The cart of the address; null until its sum is known. `error`: why it is not. */
export function useCart(planId: string): { cart: PricedCart | null; error: unknown; retry: () => void } {
  const [params, setParams] = useSearchParams();
  const settings = useQuery(checkoutSettingsQuery());
  const plan = settings.data && planOf(settings.data.plans, planId);
  const [quantity, setQuantity] = useState<number | null>(() => Number.parseInt(params.get('quantity') ?? '', 10) || null);
  const [typed, setTyped] = useState(() => params.get('quantity'));
  const [isTouched, setTouched] = useState(false);
  const [addInfographics, setAddInfographics] = useState(() => [20, 50].find((count) => String(count) === params.get('infographics')) ?? 0);
  const [email, setEmail] = useState('');
  const coupon = params.get('coupon')?.trim() ?? '';
  const { min, max } = { min: plan?.minQuantity ?? 1, max: plan?.maxQuantity ?? 1 };
  const cart = { planId, email, quantity: plan && quantity !== null ? Math.min(max, Math.max(min, quantity)) : quantity, addInfographics };

  const price = useQuery({ ...quoteQuery(cart), placeholderData: keepPreviousData });
  const reduced = useQuery({
    ...quoteQuery(cart, coupon),
    enabled: coupon !== '',
    // The sum with this coupon stays while that of another cart is asked for.
    placeholderData: (last, query) => (query?.queryKey.at(-1) === coupon ? last : undefined),
  });
  const isReduced = coupon !== '' && reduced.data !== undefined;
  const shown = isReduced ? reduced : price;

  const choose = (name: string, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );

  const isComplete = settings.data && price.data;
  const error = isComplete ? null : (settings.error ?? price.error);
  const retry = () => void Promise.all([settings.refetch(), price.refetch()]);
  if (error !== null || !settings.data || !shown.data) return { cart: null, error, retry };

  const quote = shown.data;
  const typedNow = typed ?? String(quote.quantity);
  return {
    error,
    retry,
    cart: {
      planId,
      plan,
      settings: settings.data,
      quote,
      // A guest's address changes no choice: the server compares the sum that was shown.
      isUpdating: quote.addInfographics !== addInfographics || (cart.quantity !== null && quote.quantity !== cart.quantity),
      isRefreshing: shown.isFetching,
      refresh: () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'quote' }),
      coupon: {
        code: coupon,
        applied: isReduced ? reduced.data : undefined,
        isBusy: reduced.isFetching && !isReduced,
        error: coupon === '' ? null : reduced.error,
        choose: (code) => choose('coupon', code),
      },
      infographics: {
        chosen: addInfographics,
        choose: (count) => {
          setAddInfographics(count);
          choose('infographics', count === 0 ? '' : String(count));
        },
      },
      quantity: {
        min,
        max,
        typed: typedNow,
        problem: quantityProblem(Number(typedNow), min, max),
        isTouched,
        type: (value) => {
          setTyped(value);
          setTouched(false);
          const count = Number(value);
          if (count < min || count > max) return;
          setQuantity(count);
          choose('quantity', String(count));
        },
        touch: () => setTouched(true),
      },
      setEmail,
    },
  };
}

/** What is wrong with a quantity; null when nothing is, or when there is none to choose. */
function quantityProblem(count: number, min: number, max: number): string | null {
  if (max === 1) return null;
  if (count < min) return `Please choose a quantity >= ${min}`;
  return count > max ? `Please choose a quantity <= ${max}` : null;
}
