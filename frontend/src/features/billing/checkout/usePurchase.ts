// Paying for a cart by card, wallet or PayPal: validation, sending, and handling the outcome.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { call, callFileOr } from '@/api/client';
import { ApiError, GENERAL_FAILURE, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import type { User } from '@/api/types';
import { attemptFor, beginAttempt, endAttempt, openAttempt, unresolvedAttempt } from '@/features/billing/checkout/attempt';
import type { Order } from '@/features/billing/checkout/attempt';
import { deliveryOf } from '@/features/billing/checkout/giftDay';
import { completeAuthentication, isOutcomeKnown, sendAttempt } from '@/features/billing/checkout/payment';
import type { Payment } from '@/features/billing/checkout/payment';
import { checkoutQuery } from '@/features/billing/checkout/queries';
import { isBook, titleOf } from '@/features/billing/checkout/terms';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import { safeRedirect } from '@/lib/redirect';
import { scrollToTop } from '@/lib/scrollToTop';
import { loginFor, paths } from '@/paths';
import { readDraft, removeDraft, storeDraft } from '@/shared/offline/drafts';
import type { Draft } from '@/shared/offline/drafts';
import { storeChargeId, storedChargeId } from '@/shared/payment/purchaseClaim';
import { sandboxToken } from '@/shared/payment/sandboxCard';
import { useAuthentication } from '@/shared/payment/useAuthentication';
import { referralId } from '@/shared/referral/referralId';
import { accountQuery } from '@/shared/session/account';
import { text, useForm } from '@/ui/useForm';
import type { Form } from '@/ui/useForm';

const EMAIL_REQUIRED = 'Please input an email address. We will send your payment receipt to that email.';
const PAYPAL_FAILED = 'Error processing Paypal payment. Please try again.';
const PAYPAL_UNFINISHED = 'There was an error processing your PayPal payment. Please try again later.';

const DRAFT = 'checkout';
const DRAFTED = ['email', 'senderName', 'recipientName', 'recipientEmail', 'recipientMsg', 'deliverOn'];

const invalid = (field: string, message: string) => new ApiError({ status: 422, code: 'validation', message, field });

/** The state of a purchase and its actions, for the components of the checkout. */
export interface Purchase {
  form: Form;
  element: RefObject<HTMLFormElement | null>;
  user: User | undefined;
  /** Form input from before a reload. */
  draft: Draft;
  storeDraft: (form: HTMLFormElement) => void;
  /** Whether a payment was sent whose outcome is unknown: the pay button then completes it. */
  isUnresolved: boolean;
  /** Why the price changed; null when it has not. */
  priceChange: string | null;
  payPalProblem: string | null;
  /** Stores the function of the provider's card form that turns the typed card into a token. */
  keepTokenMaker: (make: (() => Promise<string>) | null) => void;
  mayOpenWallet: () => boolean;
  payPal: {
    create: () => Promise<string>;
    approve: (approval: { orderID?: string | null; subscriptionID?: string | null }) => Promise<void>;
    fail: () => void;
  };
  /** The bank's authentication dialog, if it is open. */
  dialog: ReactNode;
}

/** `onFile` gets the file when a single book was bought. */
export function usePurchase(
  { planId, quote, settings, coupon, quantity, setEmail, refresh }: PricedCart,
  onFile: (file: Blob, title: string) => void,
): Purchase {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  const [draft] = useState(() => readDraft(DRAFT));
  const [unresolved, setUnresolved] = useState(() => unresolvedAttempt(planId));
  const [payPalProblem, setPayPalProblem] = useState<string | null>(null);
  const [priceChange, setPriceChange] = useState<string | null>(null);
  const cardToken = useRef<(() => Promise<string>) | null>(null);
  const keepTokenMaker = useCallback((make: (() => Promise<string>) | null) => {
    cardToken.current = make;
  }, []);
  const element = useRef<HTMLFormElement>(null);
  const { authenticate, dialog } = useAuthentication(settings);

  // The key is created when the page opens (billing.idempotency-key).
  useEffect(() => {
    openAttempt(planId);
  }, [planId]);

  const orderOf = (data: FormData): Order => {
    const email = user?.email ?? text(data, 'email').trim();
    const rId = referralId();
    const isGift = quote.kind === 'gift';
    const field = (name: string) => text(data, name).trim();
    return {
      planId,
      ...(quote.addInfographics > 0 && { addInfographics: quote.addInfographics }),
      ...(coupon.applied && { couponCode: coupon.code }),
      ...(email !== '' && { email }),
      dueNow: quote.dueNow,
      ...(isBook(planId) ? {} : { quantity: quote.quantity, gift: isGift, ...(rId !== null && { rId }) }),
      ...(isGift && {
        senderName: field('senderName'),
        recipientName: field('recipientName'),
        recipientEmail: field('recipientEmail'),
        recipientMsg: field('recipientMsg'),
        ...deliveryOf(data),
      }),
    };
  };

  /** After a successful payment: stores a guest's claim, removes cached data of other viewers, refetches what is unlocked now. */
  const complete = async (payment: Payment) => {
    removeDraft(DRAFT);
    endAttempt(planId);
    queryClient.removeQueries({ queryKey: [signedIn ? 'member' : 'visitor', 'quote'] });
    if ('file' in payment) {
      onFile(payment.file.blob, titleOf(quote));
      return;
    }
    const { result } = payment;
    if (result.notLoggedIn) {
      await navigate(loginFor(paths.payment(planId)), { replace: true });
      return;
    }
    if (result.chargeId !== null && !signedIn) storeChargeId(result.chargeId);
    queryClient.setQueryData(checkoutQuery(result.checkout, storedChargeId()).queryKey, result);
    const query = new URLSearchParams({ checkout: result.checkout, ...(target !== null && { redirect: target }) });
    await navigate(`${paths.payment(planId)}?${query.toString()}`, { replace: true });
    // Everything that the plan unlocks is refetched where it is shown next.
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'checkout' && queryKey[1] !== 'checkout-settings' });
  };

  /** Validates the form before any payment. */
  const check = () => {
    if (quantity.problem === null) return;
    quantity.touch();
    document.querySelector<HTMLInputElement>('input[name=quantity]')?.focus({ preventScroll: true });
    throw invalid('quantity', quantity.problem);
  };

  /** Handles a price change: shows the new price with its reason as the next step. False for any other error. */
  const takePriceChange = (error: unknown, data: FormData): boolean => {
    if (!(error instanceof ApiError) || error.code !== 'price_changed') return false;
    setPriceChange(error.message);
    if (!signedIn) setEmail(text(data, 'email').trim());
    refresh();
    scrollToTop();
    return true;
  };

  const form = useForm({
    required: unresolved || signedIn ? {} : { email: EMAIL_REQUIRED },
    submit: async (data) => {
      setPayPalProblem(null);
      setPriceChange(null);
      let attempt = unresolved;
      if (attempt === null) {
        check();
        const order = orderOf(data);
        const needsMethod = quote.needsPaymentMethod;
        const token = !needsMethod ? undefined : settings.provider === 'sandbox' ? sandboxToken(data) : await cardToken.current?.();
        if (needsMethod && token === undefined) throw new ApiError({ status: 0, code: 'provider', message: GENERAL_FAILURE });
        attempt = beginAttempt(planId, { ...order, ...(token !== undefined && { token, paymentMethod: 'card' as const }) });
      }
      try {
        await complete(await sendAttempt(planId, attempt, authenticate));
        setUnresolved(null);
      } catch (error) {
        setUnresolved(isOutcomeKnown(error) ? null : unresolvedAttempt(planId));
        if (!takePriceChange(error, data)) throw error;
      }
    },
  });

  /** A wallet's sheet opens only when the form is complete, because confirming it pays at once. */
  const mayOpenWallet = (): boolean => {
    const isComplete = quantity.problem === null && (signedIn || text(new FormData(element.current ?? undefined), 'email').trim() !== '');
    if (!isComplete && element.current) form.send(element.current);
    return isComplete;
  };

  const failPayPal = (message: string) => {
    form.clear();
    setPriceChange(null);
    setPayPalProblem(message);
    scrollToTop();
  };
  const payPalOrder = useRef<Order | null>(null);
  const createPayPalOrder = async (): Promise<string> => {
    const data = new FormData(element.current ?? undefined);
    setPriceChange(null);
    try {
      check();
      if (!signedIn && text(data, 'email').trim() === '') throw invalid('email', EMAIL_REQUIRED);
      const order = orderOf(data);
      payPalOrder.current = order;
      const { orderId, subscriptionId } = await call('POST /api/paypal/order', { body: order, idempotencyKey: attemptFor(planId, order).key });
      return orderId ?? subscriptionId ?? '';
    } catch (error) {
      setPayPalProblem(null);
      if (!takePriceChange(error, data)) failPayPal(messageOf(error));
      throw error;
    }
  };
  const approvePayPal = async (approval: { orderID?: string | null; subscriptionID?: string | null }) => {
    const order = payPalOrder.current;
    if (!order) return;
    const ids = approval.subscriptionID ? { subscriptionId: approval.subscriptionID } : { orderId: approval.orderID ?? '' };
    try {
      const answer = await callFileOr('POST /api/paypal', { body: { ...order, ...ids }, idempotencyKey: attemptFor(planId, order).key });
      await complete(await completeAuthentication(answer, authenticate));
    } catch (error) {
      failPayPal(error instanceof ApiError && isOutcomeKnown(error) ? error.message : PAYPAL_UNFINISHED);
    }
  };

  return {
    form,
    element,
    user,
    draft,
    storeDraft: (fields) => {
      const data = new FormData(fields);
      storeDraft(DRAFT, Object.fromEntries(DRAFTED.map((name) => [name, text(data, name)])));
    },
    isUnresolved: unresolved !== null,
    priceChange,
    payPalProblem,
    keepTokenMaker,
    mayOpenWallet,
    payPal: { create: createPayPalOrder, approve: approvePayPal, fail: () => setPayPalProblem((now) => now ?? PAYPAL_FAILED) },
    dialog,
  };
}
