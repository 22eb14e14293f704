import { useResendConfirmation } from '@/shared/session/useResendConfirmation';
import { Button } from '@/ui/Button';

/** Sends the confirmation mail again, for members whose e-mail address is not confirmed. */
export function ResendConfirmation() {
  const { busy, said, send } = useResendConfirmation('The email with the link is on its way.');
  return (
    <>
      <Button kind="quiet" busy={busy} busyText="Sending" onClick={send}>
        Send the email again
      </Button>
      <p role="status">{said}</p>
    </>
  );
}
