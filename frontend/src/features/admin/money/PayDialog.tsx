import { call } from '@/api/client';
import type { ResultOf } from '@/api/types';
import { formatMoney } from '@/lib/format';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

export type Payout = ResultOf<'GET /api/admin/payouts'>['payouts'][number];

interface Props {
  payout: Payout;
  onClose: () => void;
  onDone: () => void;
}

/**
 * Records that a payout was sent to a member. The request includes the displayed amount and the total paid before: the server
 * refuses it when the amount owed has changed, and records a repeated request once.
 */
export function PayDialog({ payout: { userId, email, payable, paid }, onClose, onDone }: Props) {
  const form = useForm({
    scroll: false,
    submit: async (data) => {
      await call('POST /api/admin/payouts/{userId}/paid', {
        path: { userId: String(userId) },
        body: { amount: payable, paid, note: text(data, 'note').trim() || null },
      });
      toast(`${formatMoney(payable)} to ${email} is marked as paid.`);
      onDone();
    },
  });
  return (
    <Dialog open title="Mark as paid" onClose={onClose}>
      <form className="form" {...form.props}>
        <p>
          {`${email} is owed `}
          <b>{formatMoney(payable)}</b>
          {'. Send the money first: this records in the ledger that all of it was sent, and can’t be undone.'}
        </p>
        <FormAlert form={form} />
        <TextField label="Note" name="note" autoComplete="off" hint="The transfer number, for example." error={form.wrong('note')} />
        <SubmitButton form={form} busyText="Saving">
          {`Mark ${formatMoney(payable)} as paid`}
        </SubmitButton>
      </form>
    </Dialog>
  );
}
