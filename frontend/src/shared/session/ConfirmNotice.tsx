import { useState } from 'react';
import type { User } from '@/api/types';
import { useResendConfirmation } from '@/shared/session/useResendConfirmation';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';

/** The key of the dismissal in session storage. */
const KEY = 'confirm-notice';
const CLOSED = 'close';

function wasClosed(): boolean {
  try {
    return sessionStorage.getItem(KEY) === CLOSED;
  } catch {
    return false;
  }
}

/** A notice for members whose e-mail address is not confirmed. Reading does not depend on it. */
export function ConfirmNotice({ user }: { user: Pick<User, 'email' | 'emailConfirmed'> | null | undefined }) {
  const [closed, setClosed] = useState(wasClosed);
  const { busy, said, send } = useResendConfirmation(`The email is on its way to ${user?.email ?? 'you'}.`);
  if (!user || user.emailConfirmed || closed) return null;

  return (
    <aside className="notice" aria-label="Your email address">
      <Icon name="mail" />
      <p className="notice__text" role="status">
        {said ?? 'Please confirm your email address: the link is in the email that we sent you.'}
      </p>
      {said === null ? (
        <Button kind="quiet" className="notice__action" busy={busy} onClick={send}>
          Send the email again
        </Button>
      ) : null}
      <IconButton
        icon="close"
        label="Dismiss"
        className="notice__close"
        onClick={() => {
          setClosed(true);
          try {
            sessionStorage.setItem(KEY, CLOSED);
          } catch {
            // Without storage it is dismissed on this page only.
          }
        }}
      />
    </aside>
  );
}
