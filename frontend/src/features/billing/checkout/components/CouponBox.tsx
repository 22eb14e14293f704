import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { messageOf } from '@/api/errors';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import { formatMoney } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';

/** The coupon: its field, then a banner once it is applied, or an error (billing.coupon-states). */
export function CouponBox({ coupon: { code, applied, isBusy, error, choose } }: Pick<PricedCart, 'coupon'>) {
  const [open, setOpen] = useState(code !== '');
  const [problem, setProblem] = useState<string | null>(null);
  if (code !== '' && applied) {
    return (
      <div className="coupon__applied">
        <Alert kind="success">
          <strong>{code}</strong>
          {` takes ${applied.percent_off ?? 0}% off the first charge: you save ${formatMoney(applied.discount)}.`}
        </Alert>
        <Button
          kind="quiet"
          onClick={() => {
            setOpen(true);
            choose('');
          }}
        >
          Remove the coupon
        </Button>
      </div>
    );
  }
  if (!open) {
    return (
      <Button kind="quiet" className="coupon__open" onClick={() => setOpen(true)}>
        <Icon name="award" />
        Add a coupon
      </Button>
    );
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('coupon');
    const next = typeof typed === 'string' ? typed.trim() : '';
    setProblem(next === '' ? 'Please enter your coupon code.' : null);
    if (next !== '' && !isBusy) choose(next);
  };
  return (
    <form className="coupon" onSubmit={submit} noValidate>
      <TextField
        label="Coupon"
        name="coupon"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={code}
        error={problem ?? (error && !isBusy ? messageOf(error) : null)}
      />
      <Button type="submit" busy={isBusy} busyText="Checking">
        Apply
      </Button>
    </form>
  );
}
