import { Suspense, lazy, useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSignedIn } from '@/api/session';
import { CheckoutAlerts } from '@/features/billing/checkout/components/CheckoutAlerts';
import { CheckoutSkeleton } from '@/features/billing/checkout/components/CheckoutSkeleton';
import { CheckoutSummary } from '@/features/billing/checkout/components/CheckoutSummary';
import { CheckoutUnavailable } from '@/features/billing/checkout/components/CheckoutUnavailable';
import { GiftFields } from '@/features/billing/checkout/components/GiftFields';
import { OrderGroup } from '@/features/billing/checkout/components/OrderGroup';
import { PaymentMethods } from '@/features/billing/checkout/components/PaymentMethods';
import type { Method } from '@/features/billing/checkout/components/PaymentMethods';
import { ReceiptFields } from '@/features/billing/checkout/components/ReceiptFields';
import { useCart } from '@/features/billing/checkout/useCart';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import { usePurchase } from '@/features/billing/checkout/usePurchase';
import { formatMoney } from '@/lib/format';
import { safeRedirect } from '@/lib/redirect';
import { paths, plansFor } from '@/paths';
import { SandboxNotice } from '@/shared/payment/SandboxNotice';

// Loaded for a member who switches plans.
const SwitchCheckout = lazy(() => import(/* webpackChunkName: "switch-checkout" */ '@/features/billing/checkout/components/SwitchCheckout'));

type OnFile = (file: Blob, title: string) => void;

/** The cart in the URL, its quote, and the form that pays for it. `onFile` gets the file when a single book was bought. */
export function Checkout({ planId, onFile }: { planId: string; onFile: OnFile }) {
  useSignedIn(); // re-renders after a sign-in: the query keys begin with the kind of viewer
  const { cart, error, retry } = useCart(planId);
  if (error !== null) return <CheckoutUnavailable planId={planId} error={error} onRetry={retry} />;
  if (!cart) return <CheckoutSkeleton />;
  const { switch: change, ...quote } = cart.quote;
  if (change) {
    return (
      <Suspense fallback={<CheckoutSkeleton />}>
        <SwitchCheckout settings={cart.settings} quote={{ ...quote, switch: change }} refreshing={cart.isRefreshing} onStale={cart.refresh} />
      </Suspense>
    );
  }
  return <CheckoutForm cart={cart} onFile={onFile} />;
}

function CheckoutForm({ cart, onFile }: { cart: PricedCart; onFile: OnFile }) {
  const id = useId();
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  const purchase = usePurchase(cart, onFile);
  const { planId, settings, quote } = cart;
  const { form, element } = purchase;

  const methods = methodsOf(cart);
  const [chosen, setChosen] = useState<Method>('card');
  const method = methods.includes(chosen) ? chosen : (methods[0] ?? 'card');
  const isGift = quote.kind === 'gift';
  const isUpdating = cart.isUpdating || (purchase.priceChange !== null && cart.isRefreshing);

  return (
    <>
      <h1 className="page__title checkout__title">{isGift && params.get('gift') === 'true' ? 'Gift card' : 'Checkout'}</h1>
      {settings.sandbox ? <SandboxNotice /> : null}
      <CheckoutAlerts cart={cart} purchase={purchase} />
      <div className="checkout">
        <div className="checkout__main">
          <OrderGroup cart={cart} />
          <form
            {...form.props}
            id={id}
            ref={element}
            className="checkout__form"
            onInput={(event) => {
              form.props.onInput(event);
              purchase.storeDraft(event.currentTarget);
            }}
          >
            {isGift ? <GiftFields form={form} draft={purchase.draft} /> : null}
            <ReceiptFields planId={planId} purchase={purchase} onEmail={cart.setEmail} />
            {quote.needsPaymentMethod ? <PaymentMethods cart={cart} purchase={purchase} methods={methods} method={method} onChoose={setChosen} /> : null}
          </form>
        </div>
        <CheckoutSummary cart={cart} purchase={purchase} formId={id} isUpdating={isUpdating} byPayPal={method === 'paypal'} />
      </div>
      <p className="visually-hidden" role="status">
        {isUpdating ? '' : `Due today: ${formatMoney(quote.dueNow)}`}
      </p>
      {quote.renewal || quote.kind === 'lifetime' ? (
        <p className="checkout__other">
          <Link className="link" to={target === null ? paths.try : plansFor(target)}>
            Compare the plans
          </Link>
        </p>
      ) : null}
      {purchase.dialog}
    </>
  );
}

/** The payment methods for a cart; none when nothing is due, now or later. */
function methodsOf({ settings, quote }: PricedCart): Method[] {
  if (!quote.needsPaymentMethod) return [];
  return [...(settings.provider === null ? [] : (['card'] as const)), ...(settings.paypalClientId === null ? [] : (['paypal'] as const))];
}
