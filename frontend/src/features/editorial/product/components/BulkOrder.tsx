import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkoutSettingsQuery, planOf, quoteQuery } from '@/shared/payment/checkout';
import { formatMoney } from '@/lib/format';
import { useDebounced } from '@/lib/useDebounced';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { QuantityField } from '@/ui/QuantityField';

/** The plan that sells seats (billing.team-seats). */
const PLAN = 'bulk';

/** The number of seats, their price, and a link to the checkout. */
export function BulkOrder() {
  const { data: settings } = useQuery(checkoutSettingsQuery());
  const plan = settings && planOf(settings.plans, PLAN);
  const min = plan?.minQuantity ?? 20;
  const max = plan?.maxQuantity ?? 200;
  const [typed, setTyped] = useState('20');
  const [touched, setTouched] = useState(false);
  const count = Number(typed);
  const asked = Number(useDebounced(typed));
  const problem = count < min ? `Please choose a quantity >= ${min}` : count > max ? `Please choose a quantity <= ${max}` : null;
  const quote = useQuery({
    ...quoteQuery({ planId: PLAN, quantity: asked, addInfographics: 0 }),
    enabled: plan !== undefined && asked >= min && asked <= max,
    placeholderData: keepPreviousData,
  });
  const updating = quote.isPlaceholderData || count !== asked;
  return (
    <div className="bulk-order">
      <QuantityField
        label="Seats"
        value={typed}
        min={min}
        max={max}
        error={touched ? problem : null}
        onChange={(value) => {
          setTyped(value);
          setTouched(false);
        }}
        onBlur={() => setTouched(true)}
      />
      <p className="bulk-order__sum tabular" role="status" aria-busy={updating}>
        {quote.data ? (
          <>
            <strong>{formatMoney(quote.data.firstCharge)}</strong>
            <span>{`${quote.data.quantity} seats for a year, paid once`}</span>
          </>
        ) : null}
      </p>
      <LinkButton
        kind="primary"
        large
        to={paths.seats(count)}
        onClick={(event) => {
          if (problem === null) return;
          event.preventDefault();
          setTouched(true);
        }}
      >
        {problem === null ? `Buy ${count} seats` : 'Buy seats'}
      </LinkButton>
    </div>
  );
}
