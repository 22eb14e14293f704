import '@/shared/account/account.css';
import '@/features/identity/account/account.css';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import { saveFile } from '@/lib/saveFile';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';

/** /account/archive#code: the link in a mail. Using the code takes a button press, so that a mail scanner does not use it. */
export function Component() {
  useTitle(ROUTES.accountArchive.title);
  const signedIn = useSignedIn();
  const { hash } = useLocation();
  // The code is removed from the URL; the page still knows that there was one.
  const [code] = useState(() => hash.slice(1));
  const download = useMutation({
    mutationFn: () => callFile('POST /api/user/archive/download', { body: { code } }),
    onSuccess: ({ blob, name }) => {
      saveFile(blob, name);
      window.history.replaceState(window.history.state, '', paths.accountArchive);
    },
  });
  const elsewhere = <LinkButton to={signedIn ? paths.account : loginFor(paths.account)}>{signedIn ? 'Go to your account' : 'Log in'}</LinkButton>;
  return (
    <div className="page page--narrow">
      <h1 className="page__title">Your archive</h1>
      {code === '' ? (
        <>
          <p className="page__lead">This link is incomplete. You can download your archive in your account.</p>
          <div className="leave__actions">{elsewhere}</div>
        </>
      ) : download.isSuccess ? (
        <div className="leave__actions">
          <Alert kind="success">Your archive is in your downloads. This link no longer works.</Alert>
          {elsewhere}
        </div>
      ) : (
        <>
          <p className="page__lead">Your profile, history, library and ratings in one file. The link works once.</p>
          <div className="leave__actions">
            {download.isError ? <Alert kind="warning">{messageOf(download.error)}</Alert> : null}
            <Button kind="primary" large busy={download.isPending} busyText="Preparing your archive" onClick={() => download.mutate()}>
              Download your archive
            </Button>
            {download.isError ? elsewhere : null}
          </div>
        </>
      )}
    </div>
  );
}
