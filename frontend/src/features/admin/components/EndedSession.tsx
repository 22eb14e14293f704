import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { paths } from '@/features/admin/paths';
import { accountQuery } from '@/shared/session/account';
import { loginFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

/**
 * Keeps the page of the back office when its session ends, and offers the login in another tab: with a second factor it takes more than
 * a form. Once the same person has logged in, in whatever tab, the page goes on (admin.ended-session).
 */
export function EndedSession({ member }: { member: number }) {
  const waiting = useSyncExternalStore(session.subscribe, session.isWaiting);
  const [closed, setClosed] = useState(false);
  const hasWaited = useRef(false);
  useEffect(() => session.keepPage(), []);
  useEffect(() => {
    if (waiting || !hasWaited.current) {
      hasWaited.current = waiting;
      return;
    }
    hasWaited.current = false;
    setClosed(false);
    // Another person's login: nothing of this page is theirs.
    const check = queryClient.query({ ...accountQuery(), staleTime: 0 }).then(({ id }) => id === member);
    void check.catch(() => true).then((isSame) => (isSame ? null : window.location.reload()));
  }, [waiting, member]);
  if (!waiting) return null;
  const login = (
    <LinkButton kind="primary" to={loginFor(paths.admin)} target="_blank" data-first-focus>
      Log in in a new tab
    </LinkButton>
  );
  if (closed) {
    return <Alert kind="warning">Your session has ended. Nothing can be saved until you log in. {login}</Alert>;
  }
  return (
    <Dialog open title="Your session has ended" onClose={() => setClosed(true)}>
      <p>Log in in a new tab, then come back. This page stays as it is, with what you have typed.</p>
      <div className="dialog__actions">
        {login}
        <Button kind="quiet" onClick={() => setClosed(true)}>
          Not now
        </Button>
      </div>
    </Dialog>
  );
}
