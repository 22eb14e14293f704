import '@/features/challenge/challenge.css';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';

/** /unsubscribe/:token: the link in a daily mail. Takes a button press, so that mail scanners don't unsubscribe. Needs no login. */
export function Component() {
  useTitle(ROUTES.unsubscribe.title);
  const { token = '' } = useParams();
  const heading = useRef<HTMLHeadingElement>(null);
  const stop = useMutation({ mutationFn: () => call('POST /unsubscribe/{token}', { path: { token } }) });
  useEffect(() => {
    if (stop.isSuccess) heading.current?.focus();
  }, [stop.isSuccess]);
  const isUnknown = stop.error instanceof ApiError && stop.error.code === 'not_found';
  return (
    <div className="page challenge challenge--unsubscribe">
      <h1 className="page__title" ref={heading} tabIndex={-1}>
        {stop.isSuccess ? 'No more daily emails' : 'Stop the daily emails?'}
      </h1>
      {stop.error ? (
        <Alert kind="warning">{isUnknown ? 'This link is incomplete. Please open the link in the email again.' : messageOf(stop.error)}</Alert>
      ) : null}
      <p className="challenge__lead">
        {stop.isSuccess
          ? 'The emails about your ten days have stopped. Your plan stays as it is, and you can turn the emails on again there.'
          : 'You get one email a day about your ten-day reading plan. Your plan stays as it is when the emails stop.'}
      </p>
      <div className="challenge__actions">
        {stop.isSuccess ? (
          <LinkButton large to={paths.tenDayChallenge}>
            Go to the challenge
          </LinkButton>
        ) : (
          <Button kind="primary" large busy={stop.isPending} busyText="Stopping" onClick={() => stop.mutate()}>
            Stop the emails
          </Button>
        )}
      </div>
    </div>
  );
}
