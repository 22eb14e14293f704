import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { call } from '@/api/client';
import { ApiError, loadFailureOf } from '@/api/errors';
import type { Draft } from '@/features/challenge/draft';
import type { Goal } from '@/features/challenge/queries';
import { scrollToTop } from '@/lib/scrollToTop';
import { useStepHeading } from '@/lib/useStepHeading';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { CheckCard } from '@/ui/Check';
import { EmailField } from '@/ui/Field';

/** The maximum number of goals (challenge.goal-limit). */
const MAX_GOALS = 2;
/** The alerts (challenge.goal-limit). */
const TOO_MANY = 'You can only pick two goals.';
const INCOMPLETE = 'Please pick at least one goal and specify an email address.';

interface Props {
  goals: readonly Goal[];
  chosen: readonly number[];
  /** The member's e-mail address; '' for a visitor. */
  email: string;
  onPlan: (plan: Draft) => void;
}

/** The second step: one or two goals, and the e-mail address for the plan. */
export function GoalStep({ goals, chosen, email, onPlan }: Props) {
  const [picked, setPicked] = useState<readonly number[]>(() => chosen.filter((id) => goals.some((goal) => goal.id === id)).slice(0, MAX_GOALS));
  // Always a new object, so that a repeated alert is announced again.
  const [alert, setAlert] = useState<{ text: string; field: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const heading = useStepHeading();

  const pick = (id: number, on: boolean) => {
    if (on && picked.length === MAX_GOALS) {
      setAlert({ text: TOO_MANY, field: null });
      return;
    }
    setAlert(null);
    setPicked(on ? [...picked, id] : picked.filter((one) => one !== id));
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running.current) return;
    const given = new FormData(event.currentTarget).get('email');
    const address = typeof given === 'string' ? given.trim() : '';
    if (picked.length === 0 || address === '') {
      setAlert({ text: INCOMPLETE, field: picked.length === 0 ? null : 'email' });
      scrollToTop();
      return;
    }
    running.current = true;
    setBusy(true);
    setAlert(null);
    try {
      const plan = await call('POST /api/user/ten-day-challenge', { body: { goals: [...picked], email: address } });
      onPlan({ ...plan, goals: [...picked] });
    } catch (error) {
      setAlert({ text: loadFailureOf(error), field: error instanceof ApiError ? error.field : null });
      scrollToTop();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  return (
    <div className="page challenge">
      <BackLink to={paths.tenDayChallenge}>Ten Day Challenge</BackLink>
      <h1 className="page__title" ref={heading} tabIndex={-1}>
        What would you like to work on?
      </h1>
      <p className="page__lead">Pick one or two goals.</p>
      {/* Sticky, so that it is visible on a phone, where the list of goals is long. */}
      <div className="challenge__alert">{alert ? <Alert kind="warning">{alert.text}</Alert> : null}</div>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <fieldset>
          <legend className="visually-hidden">Goals, at most two</legend>
          <div className="challenge__goals">
            {goals.map(({ id, title, photo, photov2 }) => (
              <CheckCard
                key={id}
                label={title}
                image={photov2 ?? photo}
                large
                checked={picked.includes(id)}
                onChange={(event) => pick(id, event.target.checked)}
              />
            ))}
          </div>
        </fieldset>
        <div className="challenge__send">
          <EmailField
            label="Email"
            name="email"
            autoComplete="email"
            defaultValue={email}
            hint={email === '' ? 'We email you the plan and nothing else.' : undefined}
            error={alert?.field === 'email' ? alert.text : null}
          />
          <Button type="submit" kind="primary" large busy={busy} busyText="Choosing ten books">
            Get My Reading Plan
          </Button>
          <p className="challenge__count tabular" role="status">{`${picked.length} of ${MAX_GOALS} picked`}</p>
        </div>
      </form>
    </div>
  );
}
