import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { messageOf } from '@/api/errors';
import { PushRefused, pushQuery, turnPushOff, turnPushOn } from '@/features/study/settings/push';
import { useSaveSettings } from '@/features/study/settings/useSaveSettings';
import { plural } from '@/lib/format';
import { HOURS, clockOf } from '@/lib/hours';
import { paths } from '@/paths';
import { QueryContent } from '@/shared/account/Section';
import { Row } from '@/shared/account/Setting';
import { accountQuery } from '@/shared/session/account';
import type { StudySettings } from '@/shared/study/settings';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { Segmented } from '@/ui/Segmented';

const REMINDERS = [
  { value: 'off', label: 'Off' },
  { value: 'mail', label: 'By email' },
  { value: 'push', label: 'By notification' },
];
const DIGESTS = [
  { value: 'off', label: 'Off' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
];

const pushFailure = (error: unknown): string => (error instanceof PushRefused ? error.message : messageOf(error));

/** Reminders of due cards, mails of highlights, and the hour of both (study.due-reminder, study.highlight-digest). */
export function Notices({ settings }: { settings: StudySettings }) {
  const save = useSaveSettings();
  const turnOn = useMutation({ mutationFn: turnPushOn });
  const { reminder, digest } = settings;
  const chooseReminder = (chosen: string) => {
    if (turnOn.isPending) return;
    turnOn.reset();
    if (chosen === 'push') turnOn.mutate(undefined, { onSuccess: () => save.mutate({ reminder: chosen }) });
    else save.mutate({ reminder: chosen });
  };
  return (
    <>
      <Choice
        label="Remind me of due cards"
        name="reminder"
        note="On days on which cards are due and you have not reviewed any yet."
        options={REMINDERS}
        value={turnOn.isPending ? 'push' : reminder}
        onChange={chooseReminder}
      >
        {turnOn.isPending ? (
          <p className="setting__note" role="status">
            Waiting for your browser
          </p>
        ) : null}
        {turnOn.isError ? <Alert kind="warning">{pushFailure(turnOn.error)}</Alert> : null}
      </Choice>
      {reminder === 'push' ? <ThisBrowser /> : null}
      <Choice
        label="Send me highlights by email"
        name="digest"
        note="Five each day, or ten each Monday. Each highlight has its turn before one comes again."
        options={DIGESTS}
        value={digest}
        onChange={(chosen) => save.mutate({ digest: chosen })}
      />
      {reminder !== 'off' || digest !== 'off' ? <Hour hour={settings.noticeHour} onChange={(noticeHour) => save.mutate({ noticeHour })} /> : null}
    </>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  note: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  children?: ReactNode;
}

function Choice({ label, note, children, ...choice }: ChoiceProps) {
  return (
    <div className="setting study-choice">
      <div className="setting__text">
        <h3 className="setting__label">{label}</h3>
        <p className="setting__note">{note}</p>
      </div>
      <Segmented legend={label} {...choice} />
      {children ? <div className="study-choice__more">{children}</div> : null}
    </div>
  );
}

/** How many other browsers show the reminder. */
const othersText = (others: number): string =>
  others === 0 ? 'No other browser of yours does either.' : `${plural(others, 'other browser')} of yours ${others === 1 ? 'does' : 'do'}.`;

/** Whether this browser shows the reminder: each is turned on by itself (study.push-messages). */
function ThisBrowser() {
  const push = useQuery(pushQuery());
  const turn = useMutation({ mutationFn: (isOn: boolean) => (isOn ? turnPushOn() : turnPushOff()) });
  return (
    <QueryContent query={push} loading="Asking your browser" rows={1}>
      {({ isOn, others }) => (
        <Row
          label={isOn ? 'This browser shows them' : 'This browser shows none'}
          actions={
            <Button kind="quiet" busy={turn.isPending} busyText={isOn ? 'Turning off' : 'Turning on'} onClick={() => turn.mutate(!isOn)}>
              {isOn ? 'Turn off here' : 'Turn on here'}
            </Button>
          }
        >
          <p className="setting__note">{isOn ? 'Until you log out here.' : othersText(others)}</p>
          {turn.isError ? (
            <div className="setting__alert">
              <Alert kind="warning">{pushFailure(turn.error)}</Alert>
            </div>
          ) : null}
        </Row>
      )}
    </QueryContent>
  );
}

function Hour({ hour, onChange }: { hour: number; onChange: (hour: number) => void }) {
  const { data: user } = useQuery(accountQuery());
  return (
    <div className="setting">
      <div className="study-hour">
        <SelectField
          label="Hour"
          name="noticeHour"
          value={hour}
          hint={
            <>
              {user ? `Your time zone is ${user.timezone.replaceAll('_', ' ')}.` : 'In your time zone.'} <Link to={paths.timeZone}>Change it</Link>
            </>
          }
          onChange={({ target }) => onChange(Number(target.value))}
        >
          {HOURS.map((one) => (
            <option key={one} value={one}>
              {`At ${clockOf(one)}`}
            </option>
          ))}
        </SelectField>
      </div>
    </div>
  );
}
