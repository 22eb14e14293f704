import type { ReactNode } from 'react';
import { formatClock, formatWait } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import type { Form } from '@/ui/useForm';

/**
 * What went wrong with a form, above it. While the form has to wait it counts down for the eye; the ear gets the
 * server's sentence once, and hears when the time is over. `children` are what can be done about it.
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
      <span className="tabular" aria-hidden="true">{`Too many tries. Please try again in ${formatWait(wait)}.`}</span>
    </Alert>
  );
}

interface Props {
  form: Form;
  /** What it says while the form is sent. */
  busyText: string;
  kind?: 'primary' | 'secondary' | 'harm';
  large?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/** Sends its form; says that it is sent, and how long it has to wait after too many tries. */
export function SubmitButton({ form: { busy, wait }, busyText, kind = 'primary', children, ...look }: Props) {
  return (
    <Button {...look} type="submit" kind={kind} busy={busy} busyText={busyText} aria-disabled={wait > 0 || undefined}>
      {wait > 0 ? <span className="tabular">{`Try again in ${formatClock(wait)}`}</span> : children}
    </Button>
  );
}
