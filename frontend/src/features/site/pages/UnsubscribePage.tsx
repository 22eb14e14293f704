import '@/features/site/unsubscribe.css';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';

/** What the page says of a series of mails. */
interface Series {
  title: string;
  heading: string;
  lead: string;
  doneHeading: string;
  doneLead: string;
  link: { to: string; label: string };
}

const DAILY: Series = {
  title: ROUTES.unsubscribe.title,
  heading: 'Stop the daily emails?',
  lead: 'You get one email a day about your ten-day reading plan. Your plan stays as it is when the emails stop.',
  doneHeading: 'No more daily emails',
  doneLead: 'The emails about your ten days have stopped. Your plan stays as it is, and you can turn the emails on again there.',
  link: { to: paths.tenDayChallenge, label: 'Go to the challenge' },
};

const SETTINGS = { to: paths.studySettings, label: 'Go to the settings' };

/** By `mails` of the link (study.notice-links). */
const OTHERS: ReadonlyMap<string | null, Series> = new Map([
  [
    'reminder',
    {
      title: 'Stop reminders',
      heading: 'Stop the reminders of due cards?',
      lead: 'You get an email on days on which review cards are due. Your cards stay as they are when the reminders stop.',
      doneHeading: 'No more reminders of due cards',
      doneLead: 'The reminders of due cards have stopped. Your cards stay as they are, and you can turn the reminders on again in the settings.',
      link: SETTINGS,
    },
  ],
  [
    'digest',
    {
      title: 'Stop emails with highlights',
      heading: 'Stop the emails with your highlights?',
      lead: 'You get some of your highlights by email. Your highlights stay as they are when the emails stop.',
      doneHeading: 'No more emails with your highlights',
      doneLead: 'The emails with your highlights have stopped. Your highlights stay as they are, and you can turn the emails on again in the settings.',
      link: SETTINGS,
    },
  ],
]);

/** /unsubscribe/:token: the link in a mail of a series. Takes a button press, so that mail scanners don't unsubscribe. Needs no login. */
export function Component() {
  const { token = '' } = useParams();
  const [query] = useSearchParams();
  const { title, heading, lead, doneHeading, doneLead, link } = OTHERS.get(query.get('mails')) ?? DAILY;
  useTitle(title);
  const top = useRef<HTMLHeadingElement>(null);
  const stop = useMutation({ mutationFn: () => call('POST /unsubscribe/{token}', { path: { token } }) });
  useEffect(() => {
    if (stop.isSuccess) top.current?.focus();
  }, [stop.isSuccess]);
  const isUnknown = stop.error instanceof ApiError && stop.error.code === 'not_found';
  return (
    <div className="page unsubscribe">
      <h1 className="page__title" ref={top} tabIndex={-1}>
        {stop.isSuccess ? doneHeading : heading}
      </h1>
      {stop.error ? (
        <Alert kind="warning">{isUnknown ? 'This link is incomplete. Please open the link in the email again.' : messageOf(stop.error)}</Alert>
      ) : null}
      <p className="unsubscribe__lead">{stop.isSuccess ? doneLead : lead}</p>
      <div className="unsubscribe__actions">
        {stop.isSuccess ? (
          <LinkButton large to={link.to}>
            {link.label}
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
