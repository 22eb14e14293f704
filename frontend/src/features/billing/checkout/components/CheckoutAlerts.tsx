import { PriceNotice } from '@/features/billing/checkout/components/PriceNotice';
import { NOT_TWICE } from '@/features/billing/checkout/payment';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import type { Purchase } from '@/features/billing/checkout/usePurchase';
import { Alert } from '@/ui/Alert';
import { FormAlert } from '@/ui/Form';

/** The result of the last press on the pay button: an error, a new price, or a payment whose outcome is unknown. */
export function CheckoutAlerts({ cart, purchase }: { cart: PricedCart; purchase: Purchase }) {
  return <div className="checkout__alerts">{alertOf(cart, purchase)}</div>;
}

function alertOf({ quote, isRefreshing }: PricedCart, { form, priceChange, payPalProblem, isUnresolved }: Purchase) {
  if (form.error?.retryAfter === null) {
    return (
      <Alert kind="harm">
        <p>{form.error.message}</p>
        {isUnresolved ? <p>{NOT_TWICE}</p> : null}
      </Alert>
    );
  }
  if (form.error) return <FormAlert form={form} />;
  if (priceChange !== null) return <PriceNotice reason={priceChange} quote={isRefreshing ? null : quote} />;
  if (payPalProblem !== null) return <Alert kind="harm">{payPalProblem}</Alert>;
  if (!isUnresolved) return null;
  return <Alert kind="warning">{`Your last payment here was interrupted. Press the button to finish it. ${NOT_TWICE}`}</Alert>;
}
