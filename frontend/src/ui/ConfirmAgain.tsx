import { Button } from '@/ui/Button';
import { useConfirmAgain } from '@/ui/useConfirmAgain';

/** The way out for members whose address is not confirmed yet: the mail with the link, once more. */
export function ConfirmAgain() {
  const { busy, said, send } = useConfirmAgain('The mail with the link is on its way.');
  return (
    <>
      <Button kind="quiet" busy={busy} busyText="Sending" onClick={send}>
        Send the mail again
      </Button>
      <p role="status">{said}</p>
    </>
  );
}
