import { useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { Button } from '@/ui/Button';

/** The way out for members whose address is not confirmed yet: the mail with the link, once more. */
export function ConfirmAgain() {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const send = async () => {
    setBusy(true);
    try {
      await call('POST /api/user/confirm-email/send');
      setSaid('The mail with the link is on its way.');
    } catch (error) {
      setSaid(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind="quiet" busy={busy} busyText="Sending" onClick={() => void send()}>
        Send the mail again
      </Button>
      <p role="status">{said}</p>
    </>
  );
}
