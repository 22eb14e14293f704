import { Suspense, lazy, useState } from 'react';
import type { MemberPlan } from '@/shared/payment/billing';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { Row } from '@/shared/account/Setting';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

const SwitchSteps = lazy(() => import(/* webpackChunkName: "account-switch-plan" */ '@/features/billing/subscription/SwitchSteps').catch(chunkLoadError));

/** Switches to another plan, after showing the cost (billing.plan-switch). */
export function SwitchPlan({ plan }: { plan: MemberPlan }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      label="Another plan"
      actions={
        <Button kind="quiet" aria-haspopup="dialog" aria-label="Switch your plan" onClick={() => setOpen(true)}>
          Switch
        </Button>
      }
    >
      <p className="setting__note">What you have already paid is credited. You see the cost before anything is charged.</p>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Switch your plan">
        <Suspense fallback={<DialogSkeleton />}>
          <SwitchSteps plan={plan} onClose={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </Row>
  );
}
