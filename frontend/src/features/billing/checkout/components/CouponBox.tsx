import { Suspense, lazy, useState } from 'react';
import type { PricedCart } from '@/features/billing/checkout/useCart';
import { formatMoney } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { Icon } from '@/ui/Icon';

/** Few buyers have a coupon. */
const CouponForm = lazy(() => import(/* webpackChunkName: "coupon-form" */ '@/features/billing/checkout/components/CouponForm').catch(chunkLoadError));

/** The coupon: its field, then a banner once it is applied, or an error (billing.coupon-states). */
export function CouponBox({ coupon: { code, applied, isBusy, error, choose } }: Pick<PricedCart, 'coupon'>) {
  const [open, setOpen] = useState(code !== '');
  if (code !== '' && applied) {
    const saved = formatMoney(applied.discount);
    return (
      <div className="coupon__applied">
        <Alert kind="success">
          <strong>{code}</strong>
          {` takes ${applied.percent_off ? `${applied.percent_off}%` : saved} off ${applied.everyCharge ? 'every' : 'the first'} charge: you save ${saved}.`}
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
  return (
    <Suspense>
      <CouponForm code={code} isBusy={isBusy} error={error} choose={choose} />
    </Suspense>
  );
}
