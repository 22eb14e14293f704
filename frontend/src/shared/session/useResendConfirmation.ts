import { useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';

/** Sends the confirmation mail again. `said` is the message to show, `sent` its text after a success. */
export function useResendConfirmation(sent: string) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const send = async () => {
    setBusy(true);
    try {
      await call('POST /api/user/confirm-email/send');
      setSaid(sent);
    } catch (error) {
      setSaid(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, said, send: () => void send() };
}
