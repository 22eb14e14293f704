import { useResendConfirmation } from '@/domain/useResendConfirmation';
import { Button } from '@/ui/Button';

/** The way out for members whose address is not confirmed yet: the mail with the link, once more. */
export function ResendConfirmation() {
  const { busy, said, send } = useResendConfirmation('The mail with the link is on its way.');
  return (
    <>
      <Button kind="quiet" busy={busy} busyText="Sending" onClick={send}>
        Send the mail again
      </Button>
      <p role="status">{said}</p>
    </>
  );
}
