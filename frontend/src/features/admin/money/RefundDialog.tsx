import { useRef, useState } from 'react';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { amountText, centsOf } from '@/features/admin/money/amounts';
import { REFUND_REASONS } from '@/features/admin/money/names';
import { formatDay, formatMoney } from '@/lib/format';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

interface Props {
  charge: { id: string; at: number; amount: number; refundable: number };
  onClose: () => void;
  onDone: () => void;
}

/** Refunds a charge, in full or in part. Pressing twice refunds once: each amount has one idempotency key. */
export function RefundDialog({ charge: { id, at, amount, refundable }, onClose, onDone }: Props) {
  const keys = useRef(new Map<number, string>());
  const [typed, setTyped] = useState(amountText(refundable));
  const cents = centsOf(typed);
  const form = useForm({
    scroll: false,
    submit: async (data) => {
      const wanted = centsOf(text(data, 'amount'));
      if (wanted === null || wanted === 0 || wanted > refundable) {
        throw new ApiError({
          status: 422,
          code: 'validation_failed',
          field: 'amount',
          message: `Please specify an amount between $0.01 and ${formatMoney(refundable)}.`,
        });
      }
      const reason = REFUND_REASONS.find(({ value }) => value === text(data, 'reason'))?.value;
      if (!reason) throw new ApiError({ status: 422, code: 'validation_failed', field: 'reason', message: 'Please specify Reason.' });
      const key = keys.current.get(wanted) ?? crypto.randomUUID();
      keys.current.set(wanted, key);
      const refund = await call('POST /api/admin/charges/{id}/refund', {
        path: { id },
        body: { ...(wanted === refundable ? {} : { amount: wanted }), reason, note: text(data, 'note').trim() || null },
        idempotencyKey: key,
      });
      toast(
        refund.pending
          ? 'The refund was started. The provider has not finished it yet.'
          : `${formatMoney(refund.refunded)} of ${formatMoney(refund.charged)} was refunded.`,
      );
      onDone();
    },
  });
  const isWhole = cents === amount;
  return (
    <Dialog open title="Refund" onClose={onClose}>
      <form className="form" {...form.props}>
        <p>{`${formatMoney(amount)} was charged on ${formatDay(at)}.${refundable === amount ? '' : ` ${formatMoney(refundable)} of it can be refunded.`}`}</p>
        <FormAlert form={form} />
        <TextField
          label="Amount"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          error={form.wrong('amount')}
        />
        <SelectField label="Reason" name="reason" required defaultValue="" error={form.wrong('reason')}>
          <option value="">Choose…</option>
          {REFUND_REASONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Note"
          name="note"
          autoComplete="off"
          maxLength={200}
          hint="It is recorded with the reason in the ledger and the audit log."
          error={form.wrong('note')}
        />
        <p className="admin__note">
          {isWhole
            ? 'A full refund ends the plan it paid for. What a referral earned from it is taken back.'
            : 'The plan continues. What a referral earned from it is reduced.'}
        </p>
        <SubmitButton form={form} kind="harm" busyText="Refunding">
          {cents === null ? 'Refund' : `Refund ${formatMoney(cents)}`}
        </SubmitButton>
      </form>
    </Dialog>
  );
}
