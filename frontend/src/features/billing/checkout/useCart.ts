// The cart of a checkout: the options, most of which are in the URL, and the server's quote for them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { checkoutSettingsQuery, planOf, quoteQuery } from '@/shared/payment/checkout';
import type { CheckoutSettings, Plan, Quote } from '@/shared/payment/checkout';

/** A cart with its quote. */
export interface PricedCart {
  planId: string;
  plan: Plan | undefined;
  settings: CheckoutSettings;
  /** The quote with the coupon, or without it when it is not valid. While another one is being fetched, it is the previous one. */
  quote: Quote;
  /** Whether the quote of other options is being fetched. */
  isUpdating: boolean;
  /** Whether any quote is being fetched, including that of the same options. */
  isRefreshing: boolean;
  /** Refetches the quote, because the displayed one is outdated. */
  refresh: () => void;
  coupon: Coupon;
  infographics: { chosen: number; choose: (count: number) => void };
  quantity: Quantity;
  /** Call when a guest has typed an e-mail address. */
  setEmail: (email: string) => void;
}

interface Coupon {
  /** The coupon code in the URL; '' when there is none. */
  code: string;
  /** The quote with the coupon; undefined while it is being fetched, or when the coupon is not valid. */
  applied: Quote | undefined;
  isBusy: boolean;
  error: unknown;
  choose: (code: string) => void;
}

interface Quantity {
  min: number;
  max: number;
  /** The text in the field. */
  typed: string;
  /** The validation error; null when the quantity is valid. */
  problem: string | null;
  /** Whether to show the error: not while typing. */
  isTouched: boolean;
  type: (value: string) => void;
  touch: () => void;
}

/** The cart in the URL; null until it has a quote. `error`: why the quote could not be fetched. */
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
    // The quote with this coupon stays while that of another cart is being fetched.
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
      // A guest's e-mail address changes no option: the server compares the displayed price.
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

/** The error of a quantity; null when it is valid, or when the plan has no quantity. */
function quantityProblem(count: number, min: number, max: number): string | null {
  if (max === 1) return null;
  if (count < min) return `Please choose a quantity >= ${min}`;
  return count > max ? `Please choose a quantity <= ${max}` : null;
}
