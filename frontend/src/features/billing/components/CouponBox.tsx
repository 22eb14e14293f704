import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { messageOf } from '@/api/errors';
import type { Quote } from '@/shared/payment/checkout';
import { formatMoney } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';

interface Props {
  /** The code in the address; '' without one. */
  coupon: string;
  /** The quote with it; undefined while it is asked for, or when it does not count. */
  applied: Quote | undefined;
  busy: boolean;
  error: unknown;
  onChange: (coupon: string) => void;
}

/** The coupon: not applied, then applied with its banner, or an error (billing.coupon-states). */
export function CouponBox({ coupon, applied, busy, error, onChange }: Props) {
  const [open, setOpen] = useState(coupon !== '');
  const [problem, setProblem] = useState<string | null>(null);
  if (coupon !== '' && applied) {
    return (
      <div className="coupon__applied">
        <Alert kind="success">
          <strong>{coupon}</strong>
          {` takes ${applied.percent_off ?? 0}% off the first charge: you save ${formatMoney(applied.discount)}.`}
        </Alert>
        <Button
          kind="quiet"
          onClick={() => {
            setOpen(true);
            onChange('');
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
    const code = typeof typed === 'string' ? typed.trim() : '';
    setProblem(code === '' ? 'Please type the code of your coupon.' : null);
    if (code !== '' && !busy) onChange(code);
  };
  return (
    <form className="coupon" onSubmit={submit} noValidate>
      <TextField
        label="Coupon"
        name="coupon"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={coupon}
        error={problem ?? (error && !busy ? messageOf(error) : null)}
      />
      <Button type="submit" busy={busy} busyText="Checking">
        Apply
      </Button>
    </form>
  );
}
