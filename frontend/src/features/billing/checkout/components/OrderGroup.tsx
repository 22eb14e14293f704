import { AddOns } from '@/features/billing/checkout/components/AddOns';
import { CouponBox } from '@/features/billing/checkout/components/CouponBox';
import { PlanChoice } from '@/features/billing/checkout/components/PlanChoice';
import { PER, planNote, titleOf } from '@/features/billing/checkout/terms';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import { formatMoney } from '@/lib/format';
import { QuantityField } from '@/ui/QuantityField';

/** What is bought, with its options. */
export function OrderGroup({ cart: { planId, plan, settings, quote, quantity, infographics, coupon } }: { cart: PricedCart }) {
  return (
    <section className="checkout__group" aria-label="Your order">
      <PlanChoice plans={settings.plans} plan={plan} />
      <div className="order">
        <div>
          <h2 className="order__name">{titleOf(quote)}</h2>
          <p className="order__about">{planNote(quote)}</p>
        </div>
        <p className="order__price tabular">
          {formatMoney(quote.price)}
          <span className="order__per">{PER[quote.kind] ?? 'once'}</span>
        </p>
      </div>
      {quantity.max > 1 ? (
        <QuantityField
          label="Seats"
          value={quantity.typed}
          min={quantity.min}
          max={quantity.max}
          error={quantity.isTouched ? quantity.problem : null}
          onChange={quantity.type}
          onBlur={quantity.touch}
        />
      ) : null}
      {planId.startsWith('infographics-') ? null : <AddOns plans={settings.plans} quote={quote} value={infographics.chosen} onChange={infographics.choose} />}
      <CouponBox key={coupon.applied ? `applied ${coupon.code}` : 'none'} coupon={coupon} />
    </section>
  );
}
