import type { ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

interface Props {
  title: string;
  /** What will happen, and what can't be undone. */
  children: ReactNode;
  button: string;
  busyText?: string;
  kind?: 'primary' | 'harm';
  /** Asks for a reason, for the audit log. */
  reason?: boolean;
  onClose: () => void;
  submit: (reason: string) => Promise<void>;
}

/** Asks for confirmation before an action that can't be undone. An error is shown in the dialog. */
export function ActionDialog({ title, children, button, busyText = 'One moment', kind = 'primary', reason = false, onClose, submit }: Props) {
  const form = useForm({
    scroll: false,
    ...(reason && { required: { reason: 'Please specify Reason.' } }),
    submit: (typed) => submit(reason ? text(typed, 'reason').trim() : ''),
  });
  return (
    <Dialog open title={title} onClose={onClose}>
      <form className="form" {...form.props}>
        {children}
        <FormAlert form={form} />
        {reason ? <TextArea label="Reason" name="reason" rows={3} required error={form.wrong('reason')} /> : null}
        <div className="dialog__actions">
          <SubmitButton form={form} kind={kind} busyText={busyText}>
            {button}
          </SubmitButton>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
