import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '@/api/client';
import type { ResultOf } from '@/api/types';
import { cachePlan, chargeText } from '@/shared/payment/billing';
import type { MemberPlan } from '@/shared/payment/billing';
import { checkoutSettingsQuery } from '@/shared/payment/checkout';
import type { Plan } from '@/shared/payment/checkout';
import { formatDay, formatMoney } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { messageOf } from '@/api/errors';
import { Button } from '@/ui/Button';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { SkeletonText } from '@/ui/Skeleton';
import { toast } from '@/ui/toast';
import { useForm } from '@/ui/useForm';

type Preview = ResultOf<'POST /api/charge/switch/preview'>;

/** The choice of a plan, then its cost. */
export default function SwitchSteps({ plan, onClose }: { plan: MemberPlan; onClose: () => void }) {
  const settings = useQuery(checkoutSettingsQuery());
  const [chosen, setChosen] = useState<Plan | null>(null);
  if (settings.isError) return <Alert kind="warning">{messageOf(settings.error)}</Alert>;
  if (!settings.data) {
    return (
      <div role="status">
        <span className="visually-hidden">Loading the plans</span>
        <SkeletonText width={70} />
        <SkeletonText width={50} />
      </div>
    );
  }
  const plans = settings.data.plans.filter(({ id }) => plan.switchTo.includes(id));
  if (chosen) return <Confirm to={chosen} onBack={() => setChosen(null)} onClose={onClose} />;
  return (
    <ul className="switch-plans">
      {plans.map((one) => (
        <li key={one.id} className="switch-plans__plan">
          <span>
            <span className="switch-plans__name">{one.name}</span>
            <span className="switch-plans__price">{priceText(one)}</span>
          </span>
          <Button aria-label={`Choose ${one.name}`} onClick={() => setChosen(one)}>
            Choose
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** '$59.99 a year' */
function priceText({ price, renewalMonths }: Plan): string {
  const per = renewalMonths === null ? 'once' : renewalMonths === 1 ? 'a month' : renewalMonths === 12 ? 'a year' : `every ${renewalMonths} months`;
  return `${formatMoney(price)} ${per}`;
}

/** The cost of the switch, as quoted by the server, with the button that confirms it. */
function Confirm({ to, onBack, onClose }: { to: Plan; onBack: () => void; onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['member', 'switch', to.id],
    queryFn: ({ signal }) => call('POST /api/charge/switch/preview', { body: { planId: to.id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  // One key per confirmation: pressing twice or retrying charges once (billing.idempotency-key).
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const form = useForm({
    scroll: false,
    submit: async () => {
      if (!preview.data) return;
      const { plan, requiresAction } = await call('POST /api/charge/switch', { body: { planId: to.id, token: preview.data.token }, idempotencyKey });
      await cachePlan(plan);
      onClose();
      toast(requiresAction ? 'Your bank asks you to confirm. Follow the link in the email we sent.' : `Your plan is now ${to.name}.`);
    },
  });
  return (
    <form className="form" {...form.props}>
      <h3 className="switch-plans__heading" ref={heading} tabIndex={-1}>{`${to.name}, ${priceText(to)}`}</h3>
      <FormAlert form={form} />
      {preview.data ? (
        <Cost cost={preview.data} to={to} />
      ) : preview.isError ? (
        <Alert kind="warning">{messageOf(preview.error)}</Alert>
      ) : (
        <div role="status">
          <span className="visually-hidden">Loading the cost</span>
          <SkeletonText width={80} />
          <SkeletonText width={60} />
        </div>
      )}
      <div className="setting__buttons">
        {preview.data ? (
          <SubmitButton form={form} busyText="Switching">
            {preview.data.switch.chargedNow > 0 ? `Switch and pay ${formatMoney(preview.data.switch.chargedNow)}` : 'Switch'}
          </SubmitButton>
        ) : null}
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}

function Cost({ cost: { switch: cost }, to }: { cost: Preview; to: Plan }) {
  return (
    <dl className="cost">
      <dt>Charged now</dt>
      <dd className="tabular">{formatMoney(cost.chargedNow)}</dd>
      {cost.creditLeft > 0 ? (
        <>
          <dt>{`Credit from ${cost.fromPlanName}`}</dt>
          <dd className="tabular">{formatMoney(cost.creditLeft)}</dd>
        </>
      ) : null}
      <dt>{`${to.name} begins`}</dt>
      <dd>{formatDay(cost.startsAt)}</dd>
      <dt>Next charge</dt>
      <dd className="tabular">{to.renewalMonths === null ? 'None' : chargeText({ amount: cost.nextCharge, at: cost.nextChargeAt })}</dd>
    </dl>
  );
}
