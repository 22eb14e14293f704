import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '@/api/client';
import { loadFailureOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { dailyMailQuery } from '@/features/challenge/queries';
import type { DailyMail as Settings } from '@/features/challenge/queries';
import { HOURS, clockOf } from '@/lib/hours';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';

/** The preselected hour. */
const MORNING = 7;

/** The daily mail about the saved plan: start it, change its hour, stop it. Renders nothing while loading. */
export function DailyMail() {
  const { data, error, refetch } = useQuery(dailyMailQuery());
  const { hash } = useLocation();
  const isLoaded = data !== undefined;
  // A link of the account page leads here; the browser looked for its fragment before this was loaded.
  useEffect(() => {
    if (isLoaded && hash === '#daily-mail') document.getElementById('daily-mail')?.scrollIntoView({ block: 'center' });
  }, [isLoaded, hash]);
  if (data) return <Form settings={data} />;
  if (!error) return null;
  return (
    <section className="daily" aria-label="One email a day">
      <Alert kind="warning">
        {loadFailureOf(error)} <Button onClick={() => void refetch()}>Try again</Button>
      </Alert>
    </section>
  );
}

function Form({ settings }: { settings: Settings }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState(settings.hour ?? MORNING);
  const [news, setNews] = useState('');
  const done = (now: Settings, text: string) => {
    queryClient.setQueryData(dailyMailQuery().queryKey, now);
    setNews(text);
  };
  const ask = useMutation({
    mutationFn: () => call('PUT /api/user/ten-day-challenge/daily-mail', { body: { hour: chosen } }),
    onSuccess: (now) =>
      done(now, now.hour === null ? 'This plan is over. Create a new plan to get new emails.' : `You will get an email each day at ${clockOf(now.hour)}.`),
  });
  const stop = useMutation({
    mutationFn: () => call('DELETE /api/user/ten-day-challenge/daily-mail'),
    onSuccess: () => {
      done({ ...settings, hour: null }, 'You will not get any more emails.');
      // The button that had the focus is removed.
      heading.current?.focus();
    },
  });
  const busy = ask.isPending || stop.isPending;
  const failure = ask.error ?? stop.error;
  const { hour, timezone } = settings;
  return (
    <section className="daily" id="daily-mail" aria-labelledby={id}>
      <div className="daily__text">
        <h2 className="daily__title" id={id} ref={heading} tabIndex={-1}>
          One email a day
        </h2>
        <p className="daily__lead">
          {hour === null
            ? 'We write to you in the morning, or whenever you like, with the book of the day.'
            : `The book of the day comes by email at ${clockOf(hour)}.`}{' '}
          One click in the email stops it.
        </p>
        <p className="daily__zone">
          Your time zone is {timezone.replaceAll('_', ' ')}.{' '}
          <Link className="link" to={paths.timeZone}>
            Change it
          </Link>
        </p>
      </div>
      <form
        className="daily__form"
        onSubmit={(event) => {
          event.preventDefault();
          stop.reset();
          if (!busy) ask.mutate();
        }}
      >
        <SelectField
          label="Hour"
          name="hour"
          value={chosen}
          onChange={(event) => {
            setChosen(Number(event.target.value));
            setNews('');
          }}
        >
          {HOURS.map((one) => (
            <option key={one} value={one}>
              {clockOf(one)}
            </option>
          ))}
        </SelectField>
        <div className="daily__buttons">
          <Button type="submit" busy={ask.isPending} busyText="Saving" aria-disabled={hour === chosen || undefined}>
            {hour === null ? 'Send me one email a day' : 'Change the hour'}
          </Button>
          {hour === null ? null : (
            <Button
              kind="quiet"
              busy={stop.isPending}
              busyText="Stopping"
              onClick={() => {
                ask.reset();
                stop.mutate();
              }}
            >
              Stop the emails
            </Button>
          )}
        </div>
      </form>
      <p className="daily__news" role="status">
        {news}
      </p>
      {failure ? <Alert kind="warning">{loadFailureOf(failure)}</Alert> : null}
    </section>
  );
}
