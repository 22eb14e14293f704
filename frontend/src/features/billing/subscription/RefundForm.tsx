import { call } from '@/api/client';
import type { TimelineEntry } from '@/shared/payment/billing';
import { formatDay, formatMoney } from '@/lib/format';
import { Button } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** Requests a refund of a payment, within the number of days allowed. A person decides. */
export default function RefundForm({ entry, days, onClose }: { entry: TimelineEntry; days: number; onClose: () => void }) {
  const form = useForm({
    required: { reason: 'Please tell us briefly why.' },
    scroll: false,
    submit: async (data) => {
      await call('POST /api/charge/refund-request', { body: { receipt: entry.id, reason: text(data, 'reason').trim() } });
      onClose();
      toast('We have your request and will reply by email.');
    },
  });
  return (
    <form className="form" {...form.props}>
      <p>
        {formatMoney(entry.amount)} for {entry.title}, {formatDay(entry.at)}. You can ask within {days} days
        {entry.refundableUntil === null ? '' : `, until ${formatDay(entry.refundableUntil)}`}. If it is refunded in full, you lose access to what it paid for.
      </p>
      <FormAlert form={form} />
      <TextArea label="Why would you like a refund?" name="reason" maxLength={2000} required rows={3} error={form.wrong('reason')} />
      <div className="setting__buttons">
        <SubmitButton form={form} busyText="Sending">
          Send request
        </SubmitButton>
        <Button kind="quiet" onClick={onClose}>
          Keep it
        </Button>
      </div>
    </form>
  );
}
