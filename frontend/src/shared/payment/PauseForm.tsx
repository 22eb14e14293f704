import { useState } from 'react';
import { call } from '@/api/client';
import { cachePlan } from '@/shared/payment/billing';
import type { MemberPlan } from '@/shared/payment/billing';
import { addMonths } from '@/lib/addMonths';
import { formatDay, plural } from '@/lib/format';
import { Button } from '@/ui/Button';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Segmented } from '@/ui/Segmented';
import { toast } from '@/ui/toast';
import { useForm } from '@/ui/useForm';

const MONTHS = ['1', '2', '3'] as const;
type Months = (typeof MONTHS)[number];

/** Pauses the plan for 1 to 3 months, after explaining the consequences. */
export function PauseForm({ plan, onPaused, onCancel }: { plan: MemberPlan; onPaused?: (plan: MemberPlan) => void; onCancel?: () => void }) {
  const [months, setMonths] = useState<Months>('1');
  const form = useForm({
    scroll: false,
    submit: async () => {
      const { plan: paused } = await call('POST /api/charge/pause', { body: { months: Number(months) } });
      await cachePlan(paused);
      if (onPaused) onPaused(paused);
      else toast(paused.pausedUntil === null ? 'Your plan is paused.' : `Your plan is paused until ${formatDay(paused.pausedUntil)}.`);
    },
  });
  const due = plan.nextCharge?.at ?? plan.endPaidDate;
  return (
    <form className="form pause" {...form.props}>
      <FormAlert form={form} />
      <Segmented
        legend="Pause for"
        name="months"
        options={MONTHS.map((value) => ({ value, label: plural(Number(value), 'month') }))}
        value={months}
        onChange={setMonths}
      />
      <p className="pause__text">
        {due === null
          ? 'Nothing is charged while your plan is paused. Resume whenever you like.'
          : `You have paid until ${formatDay(due)} and can keep reading until then. After that, nothing is charged and the books wait until ${formatDay(addMonths(due, Number(months)))}. Resume sooner with one click.`}
      </p>
      <div className="pause__actions">
        <SubmitButton form={form} kind="secondary" busyText="Pausing">
          {`Pause for ${plural(Number(months), 'month')}`}
        </SubmitButton>
        {onCancel ? (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}
