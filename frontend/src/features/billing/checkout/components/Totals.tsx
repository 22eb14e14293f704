import type { Plan, Quote } from '@/shared/payment/checkout';
import { isSwitchedLater } from '@/features/billing/checkout/terms';
import { formatDay, formatMoney } from '@/lib/format';

interface Props {
  quote: Quote;
  plans: readonly Plan[];
  /** The quote of a changed cart is being fetched. */
  updating: boolean;
}

/** The quote, line by line. */
export function Totals({ quote, plans, updating }: Props) {
  const addOn = quote.addInfographics > 0 ? plans.find(({ id }) => id === `infographics-${quote.addInfographics}`) : undefined;
  // The credit for the active plan, up to this charge. A trial that continues with another plan leaves no credit.
  const counted = quote.switch && quote.switch.chargedNow + quote.switch.creditLeft > 0 ? quote.beforeDiscount - quote.discount - quote.dueNow : 0;
  return (
    <dl className="totals tabular" aria-busy={updating}>
      <div className="totals__row">
        <dt>{quote.quantity > 1 ? `${quote.planName}, ${quote.quantity} × ${formatMoney(quote.price)}` : quote.planName}</dt>
        <dd>{formatMoney(quote.beforeDiscount - (addOn?.price ?? 0))}</dd>
      </div>
      {addOn ? (
        <div className="totals__row">
          <dt>{`${quote.addInfographics} infographics`}</dt>
          <dd>{formatMoney(addOn.price)}</dd>
        </div>
      ) : null}
      {quote.discount > 0 ? (
        <div className="totals__row totals__row--saved">
          <dt>{quote.percent_off ? `Coupon, ${quote.percent_off}% off` : 'Coupon'}</dt>
          <dd>{`−${formatMoney(quote.discount)}`}</dd>
        </div>
      ) : null}
      {quote.switch && !isSwitchedLater(quote) && counted > 0 ? (
        <div className="totals__row totals__row--saved">
          <dt>{`Credit from ${quote.switch.fromPlanName}`}</dt>
          <dd>{`−${formatMoney(counted)}`}</dd>
        </div>
      ) : null}
      {quote.dueNow > 0 || quote.firstCharge === 0 ? null : (
        <div className="totals__row">
          <dt>
            First charge
            <span className="totals__when">{`on ${formatDay(quote.firstChargeAt)}`}</span>
          </dt>
          <dd>{formatMoney(quote.firstCharge)}</dd>
        </div>
      )}
      <div className="totals__row totals__row--today">
        <dt>Due today</dt>
        <dd>{formatMoney(quote.dueNow)}</dd>
      </div>
    </dl>
  );
}
