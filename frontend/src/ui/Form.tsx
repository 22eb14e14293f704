import type { ReactNode } from 'react';
import { formatClock, formatWait } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import type { Form } from '@/ui/useForm';

/**
 * The error above a form. While the form is rate limited it shows a countdown; screen readers announce the server's
 * message once, and when the wait is over. `children` are actions that help.
 */
export function FormAlert({ form: { error, wait }, children }: { form: Form; children?: ReactNode }) {
  if (!error) return null;
  if (error.retryAfter === null) {
    return (
      <Alert kind="warning">
        {error.message}
        {children}
      </Alert>
    );
  }
  if (wait === 0) return <Alert>You can try again now.</Alert>;
  return (
    <Alert kind="warning">
      <span className="visually-hidden">{error.message}</span>
      <span className="tabular" aria-hidden="true">{`Too many attempts. Please try again in ${formatWait(wait)}.`}</span>
    </Alert>
  );
}

interface Props {
  form: Form;
  /** The button's text while the form is being submitted. */
  busyText: string;
  kind?: 'primary' | 'secondary' | 'harm';
  large?: boolean;
  wide?: boolean;
  /** Gets the focus when its dialog opens. */
  'data-first-focus'?: boolean;
  children: ReactNode;
}

/** Submits its form; shows when it is being submitted, and how long to wait when it is rate limited. */
export function SubmitButton({ form: { busy, wait }, busyText, kind = 'primary', children, ...look }: Props) {
  return (
    <Button {...look} type="submit" kind={kind} busy={busy} busyText={busyText} aria-disabled={wait > 0 || undefined}>
      {wait > 0 ? <span className="tabular">{`Try again in ${formatClock(wait)}`}</span> : children}
    </Button>
  );
}
