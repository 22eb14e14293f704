import { Suspense, lazy } from 'react';
import { PayPalSkeleton } from '@/features/billing/checkout/components/PayPalSkeleton';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import type { Purchase } from '@/features/billing/checkout/usePurchase';
import { site } from '@/lib/site';
import { SandboxCard } from '@/shared/payment/SandboxCard';
import { StripeCard } from '@/shared/payment/StripeCard';
import { Alert } from '@/ui/Alert';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { Icon } from '@/ui/Icon';

/** Not every buyer chooses PayPal, and its own script is loaded after it. */
const PayPalButtons = lazy(() => import(/* webpackChunkName: "paypal-buttons" */ '@/features/billing/checkout/components/PayPalButtons').catch(chunkLoadError));

export type Method = 'card' | 'paypal';

interface Props {
  cart: PricedCart;
  purchase: Purchase;
  methods: readonly Method[];
  method: Method;
  onChoose: (method: Method) => void;
}

/** The choice of a payment method, and the fields or buttons of the chosen one. */
export function PaymentMethods({ cart: { settings, quote }, purchase, methods, method, onChoose }: Props) {
  const { form, element, payPal } = purchase;
  return (
    <fieldset className="checkout__group">
      <legend className="checkout__legend">Payment</legend>
      {methods.length > 1 ? (
        <div className="choices__list choices__list--methods">
          {methods.map((one) => (
            <label key={one} className="choice">
              <input type="radio" className="choice__input" name="method" value={one} checked={method === one} onChange={() => onChoose(one)} />
              <span className="choice__label">{one === 'card' ? 'Card' : 'PayPal'}</span>
              {one === 'card' ? <Icon name="card" /> : null}
            </label>
          ))}
        </div>
      ) : null}
      {method === 'paypal' ? (
        <Suspense
          fallback={
            <div className="provider-form" aria-busy>
              <PayPalSkeleton />
            </div>
          }
        >
          <PayPalButtons
            key={String(quote.renewal !== null)}
            clientId={settings.paypalClientId ?? ''}
            subscription={quote.renewal !== null}
            onCreate={payPal.create}
            onApprove={payPal.approve}
            onError={payPal.fail}
          />
        </Suspense>
      ) : settings.provider === 'sandbox' ? (
        <SandboxCard form={form} />
      ) : settings.provider === 'stripe' ? (
        <StripeCard
          publicKey={settings.publicKey ?? ''}
          quote={quote}
          onTokenMaker={purchase.keepTokenMaker}
          onWalletPress={purchase.mayOpenWallet}
          onWallet={() => element.current && form.send(element.current)}
        />
      ) : (
        <Alert kind="warning">{`Payments are not set up on this site. Please write to ${site.supportEmail}.`}</Alert>
      )}
    </fieldset>
  );
}
