import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { call, callFileOr } from '@/api/client';
import { ApiError, GENERAL_FAILURE, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { checkoutSettingsQuery, planOf, quoteQuery } from '@/shared/payment/checkout';
import type { CheckoutSettings, Quote } from '@/shared/payment/checkout';
import { readDraft, removeDraft, storeDraft } from '@/shared/offline/drafts';
import { infographicsToday } from '@/shared/payment/infographics';
import { storeChargeId, storedChargeId } from '@/shared/payment/purchaseClaim';
import { referralId } from '@/shared/referral/referralId';
import { attemptFor, beginAttempt, endAttempt, openAttempt, unresolvedAttempt } from '@/features/billing/attempt';
import type { Order } from '@/features/billing/attempt';
import { AddOns } from '@/features/billing/components/AddOns';
import { CouponBox } from '@/features/billing/components/CouponBox';
import { GiftFields } from '@/features/billing/components/GiftFields';
import { PayPalButtons } from '@/features/billing/components/PayPalButtons';
import { SandboxCard } from '@/shared/payment/SandboxCard';
import { SandboxNotice } from '@/shared/payment/SandboxNotice';
import { StripeCard } from '@/shared/payment/StripeCard';
import { PriceNotice } from '@/features/billing/components/PriceNotice';
import { SwitchCheckout } from '@/features/billing/components/SwitchCheckout';
import { Totals } from '@/features/billing/components/Totals';
import { deliveryOf } from '@/features/billing/giftDay';
import { NOT_TWICE, completeAuthentication, isOutcomeKnown, sendAttempt } from '@/features/billing/payment';
import type { Payment } from '@/features/billing/payment';
import { checkoutQuery } from '@/features/billing/queries';
import { sandboxToken } from '@/shared/payment/sandboxCard';
import { chargeTerms, isBook, payLabel, titleOf } from '@/features/billing/terms';
import { useAuthentication } from '@/shared/payment/useAuthentication';
import { formatMoney } from '@/lib/format';
import { safeRedirect } from '@/lib/redirect';
import { site } from '@/lib/site';
import { loginFor, paths, plansFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { EmailField } from '@/ui/Field';
import { FormAlert } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { QuantityField } from '@/ui/QuantityField';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { text, useForm } from '@/ui/useForm';

const EMAIL_REQUIRED = 'Please input an email address. We will send your payment receipt to that email.';
const PAYPAL_FAILED = 'Error processing Paypal payment. Please try again.';
const PAYPAL_UNFINISHED = 'There was an error processing your PayPal payment. Please try again later.';

const DRAFT = 'checkout';
const DRAFTED = ['email', 'senderName', 'recipientName', 'recipientEmail', 'recipientMsg', 'deliverOn'];

const invalid = (field: string, message: string) => new ApiError({ status: 422, code: 'validation', message, field });

/** The cart of the address, its quote, and the form that pays for it. `onFile`: a book was bought, and this is its file. */
export function Checkout({ planId, onFile }: { planId: string; onFile: (file: Blob, title: string) => void }) {
  useSignedIn(); // the queries' keys begin with the viewer
  const [params, setParams] = useSearchParams();
  const settings = useQuery(checkoutSettingsQuery());
  const [quantity, setQuantity] = useState<number | null>(() => Number.parseInt(params.get('quantity') ?? '', 10) || null);
  const plan = settings.data && planOf(settings.data.plans, planId);
  const [addInfographics, setAddInfographics] = useState(() => [20, 50].find((count) => String(count) === params.get('infographics')) ?? 0);
  const coupon = params.get('coupon')?.trim() ?? '';
  const [email, setEmail] = useState('');
  const cart = {
    planId,
    email,
    quantity: plan && quantity !== null ? Math.min(plan.maxQuantity, Math.max(plan.minQuantity, quantity)) : quantity,
    addInfographics,
  };

  const price = useQuery({ ...quoteQuery(cart), placeholderData: keepPreviousData });
  const reduced = useQuery({
    ...quoteQuery(cart, coupon),
    enabled: coupon !== '',
    // The sum with this coupon stays while that of another cart is asked for.
    placeholderData: (last, query) => (query?.queryKey.at(-1) === coupon ? last : undefined),
  });
  const isReduced = coupon !== '' && reduced.data !== undefined;
  const shown = isReduced ? reduced : price;

  const choose = useCallback(
    (name: string, value: string) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );

  const error = settings.error ?? price.error;
  if (error && !(settings.data && price.data)) {
    return <Unavailable planId={planId} error={error} onRetry={() => void Promise.all([settings.refetch(), price.refetch()])} />;
  }
  if (!settings.data || !shown.data) return <CheckoutSkeleton />;
  const onStale = () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'quote' });
  const { switch: change, ...quote } = shown.data;
  if (change) return <SwitchCheckout settings={settings.data} quote={{ ...quote, switch: change }} refreshing={shown.isFetching} onStale={onStale} />;
  return (
    <CheckoutForm
      planId={planId}
      settings={settings.data}
      quote={shown.data}
      // While another cart's sum is asked for. A guest's address changes no choice: the server compares the sum that was shown.
      updating={shown.data.addInfographics !== addInfographics || (cart.quantity !== null && shown.data.quantity !== cart.quantity)}
      coupon={coupon}
      applied={isReduced ? reduced.data : undefined}
      couponBusy={reduced.isFetching && !isReduced}
      couponError={coupon === '' ? null : reduced.error}
      onCoupon={(code) => choose('coupon', code)}
      addInfographics={addInfographics}
      onAddOn={(count) => {
        setAddInfographics(count);
        choose('infographics', count === 0 ? '' : String(count));
      }}
      onQuantity={(count) => {
        setQuantity(count);
        choose('quantity', String(count));
      }}
      onEmail={setEmail}
      refreshing={shown.isFetching}
      onStale={onStale}
      onFile={onFile}
    />
  );
}

/** Why there is nothing to pay for here. */
function Unavailable({ planId, error, onRetry }: { planId: string; error: unknown; onRetry: () => void }) {
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  if (error instanceof ApiError && error.notLoggedIn) return <Navigate to={loginFor(paths.payment(planId))} replace />;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        level={1}
        title="Invalid plan id"
        actions={
          <LinkButton kind="primary" to={paths.try}>
            See plans
          </LinkButton>
        }
      >
        <p>There is nothing to buy under this address.</p>
      </EmptyState>
    );
  }
  if (error instanceof ApiError && error.code === 'switch_unavailable') {
    return (
      <EmptyState
        level={1}
        title="Another plan is running"
        actions={
          <LinkButton kind="primary" to={paths.account}>
            Your account
          </LinkButton>
        }
      >
        <p>{error.message}</p>
      </EmptyState>
    );
  }
  if (error instanceof ApiError && error.code === 'already_subscribed') {
    return (
      <EmptyState
        level={1}
        title="You have this plan already"
        actions={
          <>
            <LinkButton kind="primary" to={target ?? paths.books}>
              {target === null ? 'Browse book summaries' : 'Go back to where you were'}
            </LinkButton>
            <LinkButton to={paths.account}>Your account</LinkButton>
          </>
        }
      >
        <p>{error.message}</p>
      </EmptyState>
    );
  }
  return <ErrorState level={1} error={error} onRetry={onRetry} />;
}

export function CheckoutSkeleton() {
  return (
    <div role="status">
      <h1 className="page__title">Checkout</h1>
      <span className="visually-hidden">Loading the checkout</span>
      <div className="checkout" aria-hidden="true">
        <div className="checkout__main">
          <span className="skeleton checkout__skeleton" />
          <span className="skeleton checkout__skeleton" />
        </div>
        <div className="checkout__side">
          <div className="checkout__summary">
            <SkeletonText width={90} />
            <SkeletonText width={70} />
            <SkeletonText width={80} />
          </div>
        </div>
      </div>
    </div>
  );
}

interface FormProps {
  planId: string;
  settings: CheckoutSettings;
  quote: Quote;
  updating: boolean;
  coupon: string;
  applied: Quote | undefined;
  couponBusy: boolean;
  couponError: unknown;
  onCoupon: (coupon: string) => void;
  /** What is chosen; the quote follows. */
  addInfographics: number;
  onAddOn: (count: number) => void;
  onQuantity: (quantity: number) => void;
  /** A guest has typed their address. */
  onEmail: (email: string) => void;
  /** Whether the sum is asked for again. */
  refreshing: boolean;
  /** The sum that is shown is another one by now. */
  onStale: () => void;
  onFile: (file: Blob, title: string) => void;
}

function CheckoutForm({
  planId,
  settings,
  quote,
  updating,
  coupon,
  applied,
  couponBusy,
  couponError,
  onCoupon,
  addInfographics,
  onAddOn,
  onQuantity,
  onEmail,
  refreshing,
  onStale,
  onFile,
}: FormProps) {
  const id = useId();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  const [draft] = useState(() => readDraft(DRAFT));
  const [unresolved, setUnresolved] = useState(() => unresolvedAttempt(planId));
  const [method, setMethod] = useState<'card' | 'paypal'>('card');
  const [paypalProblem, setPayPalProblem] = useState<string | null>(null);
  const [priceChange, setPriceChange] = useState<string | null>(null);
  const cardToken = useRef<(() => Promise<string>) | null>(null);
  const keepTokenMaker = useCallback((make: (() => Promise<string>) | null) => {
    cardToken.current = make;
  }, []);
  const element = useRef<HTMLFormElement>(null);
  const { authenticate, dialog } = useAuthentication(settings);
  const plan = planOf(settings.plans, planId);
  const { min, max } = { min: plan?.minQuantity ?? 1, max: plan?.maxQuantity ?? 1 };
  const [typed, setTyped] = useState(() => params.get('quantity') ?? String(quote.quantity));
  const [quantityTouched, setQuantityTouched] = useState(false);

  // The key is made when the page opens (billing.idempotency-key).
  useEffect(() => {
    openAttempt(planId);
  }, [planId]);

  const isGift = quote.kind === 'gift';
  const isSubscription = quote.renewal !== null;
  const needsMethod = quote.needsPaymentMethod;
  const payPal = settings.paypalClientId !== null && needsMethod;
  const byPayPal = payPal && method === 'paypal';
  const wrongQuantity = (): string | null => {
    const count = Number(typed);
    if (max === 1) return null;
    return count < min ? `Please choose a quantity >= ${min}` : count > max ? `Please choose a quantity <= ${max}` : null;
  };

  const orderOf = (data: FormData): Order => {
    const email = user?.email ?? text(data, 'email').trim();
    const rId = referralId();
    const field = (name: string) => text(data, name).trim();
    return {
      planId,
      ...(quote.addInfographics > 0 && { addInfographics: quote.addInfographics }),
      ...(applied && { couponCode: coupon }),
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

  /** The outcome is known and good: remember a guest's claim, forget what others see, show what is open now. */
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
    // What the plan opens is asked for again where it is shown next.
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'checkout' && queryKey[1] !== 'checkout-settings' });
  };

  /** Checks what was typed before any money is spoken of. */
  const check = () => {
    const problem = wrongQuantity();
    if (problem === null) return;
    setQuantityTouched(true);
    document.querySelector<HTMLInputElement>('input[name=quantity]')?.focus({ preventScroll: true });
    throw invalid('quantity', problem);
  };

  /** Shows the new price with its reason as the next step; false: the error says something else. */
  const takePriceChange = (error: unknown, data: FormData): boolean => {
    if (!(error instanceof ApiError) || error.code !== 'price_changed') return false;
    setPriceChange(error.message);
    if (!signedIn) onEmail(text(data, 'email').trim());
    onStale();
    window.scrollTo({ top: 0, behavior: 'smooth' });
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

  /** A wallet's sheet opens over a complete form only: it is paid at once. */
  const mayOpenWallet = (): boolean => {
    const isComplete = wrongQuantity() === null && (signedIn || text(new FormData(element.current ?? undefined), 'email').trim() !== '');
    if (!isComplete && element.current) form.send(element.current);
    return isComplete;
  };

  const failPayPal = (message: string) => {
    form.clear();
    setPriceChange(null);
    setPayPalProblem(message);
    window.scrollTo({ top: 0, behavior: 'smooth' });
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

  const quantityError = quantityTouched ? wrongQuantity() : null;
  const today = quote.dueNow;
  const isReady = settings.provider !== null || payPal || !needsMethod;
  const isUpdating = updating || (priceChange !== null && refreshing);

  return (
    <>
      <h1 className="page__title checkout__title">{isGift && params.get('gift') === 'true' ? 'Gift card' : 'Checkout'}</h1>
      {settings.sandbox ? <SandboxNotice /> : null}
      <div className="checkout__alerts">
        {form.error ? (
          form.error.retryAfter === null ? (
            <Alert kind="harm">
              <p>{form.error.message}</p>
              {unresolved ? <p>{NOT_TWICE}</p> : null}
            </Alert>
          ) : (
            <FormAlert form={form} />
          )
        ) : priceChange !== null ? (
          <PriceNotice reason={priceChange} quote={refreshing ? null : quote} />
        ) : paypalProblem !== null ? (
          <Alert kind="harm">{paypalProblem}</Alert>
        ) : unresolved ? (
          <Alert kind="warning">{`Your last payment on this page was interrupted before its outcome was known. Press the button to finish it. ${NOT_TWICE}`}</Alert>
        ) : null}
      </div>
      <div className="checkout">
        <div className="checkout__main">
          <section className="checkout__group" aria-label="Your order">
            <div className="order">
              <div>
                <h2 className="order__name">{titleOf(quote)}</h2>
                <p className="order__about">{aboutPlan(quote)}</p>
              </div>
              <p className="order__price tabular">
                {formatMoney(quote.price)}
                <span className="order__per">{PER[quote.kind] ?? 'once'}</span>
              </p>
            </div>
            {max > 1 ? (
              <QuantityField
                label="Seats"
                value={typed}
                min={min}
                max={max}
                error={quantityError}
                onChange={(value) => {
                  setTyped(value);
                  setQuantityTouched(false);
                  const count = Number(value);
                  if (count >= min && count <= max) onQuantity(count);
                }}
                onBlur={() => setQuantityTouched(true)}
              />
            ) : null}
            {planId.startsWith('infographics-') ? null : <AddOns plans={settings.plans} quote={quote} value={addInfographics} onChange={onAddOn} />}
            <CouponBox
              key={applied ? `applied ${coupon}` : 'none'}
              coupon={coupon}
              applied={applied}
              busy={couponBusy}
              error={couponError}
              onChange={onCoupon}
            />
          </section>

          <form
            {...form.props}
            id={id}
            ref={element}
            className="checkout__form"
            onInput={(event) => {
              form.props.onInput(event);
              const data = new FormData(event.currentTarget);
              storeDraft(DRAFT, Object.fromEntries(DRAFTED.map((name) => [name, text(data, name)])));
            }}
          >
            {isGift ? <GiftFields form={form} draft={draft} /> : null}
            <fieldset className="checkout__group">
              <legend className="checkout__legend">Receipt</legend>
              {signedIn ? (
                <p className="checkout__receipt">{user ? <>Your receipt goes to {user.email}.</> : <SkeletonText width={60} />}</p>
              ) : (
                <EmailField
                  label="Email"
                  name="email"
                  autoComplete="email"
                  defaultValue={draft['email']}
                  onBlur={(event) => {
                    if (event.target.validity.valid) onEmail(event.target.value.trim());
                  }}
                  hint={
                    <>
                      Your receipt goes there. Already a member?{' '}
                      <Link className="link" to={loginFor(`${paths.payment(planId)}?${params.toString()}`)}>
                        Log in
                      </Link>
                    </>
                  }
                  error={form.wrong('email')}
                />
              )}
            </fieldset>
            {needsMethod ? (
              <fieldset className="checkout__group">
                <legend className="checkout__legend">Payment</legend>
                {payPal && settings.provider !== null ? (
                  <div className="choices__list choices__list--methods">
                    {(['card', 'paypal'] as const).map((one) => (
                      <label key={one} className="choice">
                        <input type="radio" className="choice__input" name="method" value={one} checked={method === one} onChange={() => setMethod(one)} />
                        <span className="choice__label">{one === 'card' ? 'Card' : 'PayPal'}</span>
                        {one === 'card' ? <Icon name="card" /> : null}
                      </label>
                    ))}
                  </div>
                ) : null}
                {byPayPal || (payPal && settings.provider === null) ? (
                  <PayPalButtons
                    key={String(isSubscription)}
                    clientId={settings.paypalClientId ?? ''}
                    subscription={isSubscription}
                    onCreate={createPayPalOrder}
                    onApprove={approvePayPal}
                    onError={() => setPayPalProblem((now) => now ?? PAYPAL_FAILED)}
                  />
                ) : settings.provider === 'sandbox' ? (
                  <SandboxCard form={form} />
                ) : settings.provider === 'stripe' ? (
                  <StripeCard
                    publicKey={settings.publicKey ?? ''}
                    quote={quote}
                    onTokenMaker={keepTokenMaker}
                    onWalletPress={mayOpenWallet}
                    onWallet={() => element.current && form.send(element.current)}
                  />
                ) : (
                  <Alert kind="warning">{`Payments are not set up on this site. Please write to ${site.supportEmail}.`}</Alert>
                )}
              </fieldset>
            ) : null}
          </form>
        </div>

        <aside className="checkout__side" aria-label="Summary">
          <div className="checkout__summary">
            <h2 className="checkout__legend">Summary</h2>
            <Totals quote={quote} plans={settings.plans} updating={isUpdating} />
            <ul className="checkout__terms">
              {chargeTerms(quote).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
          <div className="checkout__pay">
            <p className="checkout__sum tabular" aria-hidden="true">
              <span>Due today</span>
              <strong>{formatMoney(today)}</strong>
            </p>
            <p className="checkout__next">{nextCharge(quote)}</p>
            {byPayPal || (payPal && settings.provider === null) ? null : (
              <Button
                type="submit"
                form={id}
                kind="primary"
                large
                wide
                busy={form.busy || isUpdating}
                busyText={form.busy ? 'Paying' : 'Updating the sum'}
                aria-disabled={!isReady || form.wait > 0 || undefined}
              >
                {unresolved ? 'Finish the payment' : payLabel(quote, plan?.trialDays ?? 0)}
              </Button>
            )}
            <p className="checkout__small">
              By paying you agree to the <Link to={paths.terms}>terms</Link> and the <Link to={paths.privacy}>privacy policy</Link>.
            </p>
          </div>
        </aside>
      </div>
      <p className="visually-hidden" role="status">
        {isUpdating ? '' : `Due today: ${formatMoney(today)}`}
      </p>
      {quote.renewal || quote.kind === 'lifetime' ? (
        <p className="checkout__other">
          <Link className="link" to={target === null ? paths.try : plansFor(target)}>
            Compare the plans
          </Link>
        </p>
      ) : null}
      {dialog}
    </>
  );
}

/** What is bought, in one line. */
function aboutPlan({ kind, planId, infographicsToday: count }: Quote): string {
  if (isBook(planId)) return 'The summary as a PDF, set for print. Yours for good.';
  if (kind === 'monthly' || kind === 'yearly') return 'Every summary, to read and to hear. Turn renewal off at any time.';
  if (kind === 'lifetime') return 'Every summary, to read and to hear, paid once.';
  if (kind === 'gift') return 'One year of every summary, as a code that does not expire.';
  if (kind === 'bulk') return 'One year of every summary for each seat. The codes come by mail.';
  if (planId.startsWith('infographics')) return `Whole books on one sheet, yours for good. ${infographicsToday(count)}`;
  return 'The whole of your results, paid once.';
}

/** What one price is for, by the plan's kind; else it is paid once. */
const PER: Partial<Record<string, string>> = { monthly: 'a month', yearly: 'a year', bulk: 'a seat' };

/** The next charge in a few words, beside the button. */
function nextCharge(quote: Quote): string {
  const sentences = chargeTerms(quote);
  return sentences.find((sentence) => /first charge is|next charge is/.test(sentence)) ?? sentences.at(-1) ?? '';
}
