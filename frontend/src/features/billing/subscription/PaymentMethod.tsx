import { Suspense, lazy } from 'react';
import type { MemberPlan } from '@/shared/payment/billing';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { Row } from '@/shared/account/Setting';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

const ChangeMethod = lazy(() => import(/* webpackChunkName: "account-payment-method" */ '@/features/billing/subscription/ChangeMethod').catch(chunkLoadError));

/** 'Visa ending in 4242, until 04/2029' */
const methodText = ({ brand, last4, expires }: NonNullable<MemberPlan['method']>): string =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)}${last4 ? ` ending in ${last4}` : ''}${expires ? `, until ${expires}` : ''}`;

interface Props {
  plan: MemberPlan;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** The plan's payment method, and the dialog that changes it. */
export function PaymentMethodRow({ plan, isOpen, onOpen }: Props) {
  return (
    <Row
      label="Payment method"
      actions={
        plan.canChangeMethod ? (
          <Button kind="quiet" aria-haspopup="dialog" aria-label="Change your payment method" onClick={() => onOpen(true)}>
            Change
          </Button>
        ) : null
      }
    >
      <p className="setting__value">{plan.method ? methodText(plan.method) : plan.provider === 'paypal' ? 'PayPal' : 'None saved.'}</p>
      {plan.provider === 'paypal' ? <p className="setting__note">To change what PayPal charges, go to automatic payments on PayPal.</p> : null}
      <Dialog open={isOpen} onClose={() => onOpen(false)} title="Change payment method">
        <Suspense fallback={<DialogSkeleton />}>
          <ChangeMethod plan={plan} onClose={() => onOpen(false)} />
        </Suspense>
      </Dialog>
    </Row>
  );
}
