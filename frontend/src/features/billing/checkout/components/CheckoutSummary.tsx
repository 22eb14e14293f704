import { Link } from 'react-router';
import { Totals } from '@/features/billing/checkout/components/Totals';
import { chargeTerms, nextCharge, payLabel } from '@/features/billing/checkout/terms';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import type { Purchase } from '@/features/billing/checkout/usePurchase';
import { formatMoney } from '@/lib/format';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';

interface Props {
  cart: PricedCart;
  purchase: Purchase;
  /** The id of the form that the button submits. */
  formId: string;
  /** Whether a new total is being fetched. */
  isUpdating: boolean;
  /** Whether PayPal's own buttons replace the pay button. */
  byPayPal: boolean;
}

/** What is charged when, and the pay button. */
export function CheckoutSummary({ cart: { plan, settings, quote }, purchase: { form, isUnresolved }, formId, isUpdating, byPayPal }: Props) {
  const isReady = settings.provider !== null || !quote.needsPaymentMethod;
  return (
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
          <strong>{formatMoney(quote.dueNow)}</strong>
        </p>
        <p className="checkout__next">{nextCharge(quote)}</p>
        {byPayPal ? null : (
          <Button
            type="submit"
            form={formId}
            kind="primary"
            large
            wide
            busy={form.busy || isUpdating}
            busyText={form.busy ? 'Paying' : 'Updating the total'}
            aria-disabled={!isReady || form.wait > 0 || undefined}
          >
            {isUnresolved ? 'Finish the payment' : payLabel(quote, plan?.trialDays ?? 0)}
          </Button>
        )}
        <p className="checkout__small">
          By paying you agree to the <Link to={paths.terms}>terms</Link> and the <Link to={paths.privacy}>privacy policy</Link>.
        </p>
      </div>
    </aside>
  );
}
