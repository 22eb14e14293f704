import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { messageOf } from '@/api/errors';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';

/** The field for a coupon code. */
export default function CouponForm({ code, isBusy, error, choose }: Pick<PricedCart['coupon'], 'code' | 'isBusy' | 'error' | 'choose'>) {
  const [problem, setProblem] = useState<string | null>(null);
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
