import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { sessionQuery } from '@/features/study/session/queries';
import { checkRequest } from '@/features/study/session/request';
import type { RequestErrors, TypedRequest } from '@/features/study/session/request';
import { QUICK_MINUTES } from '@/shared/study/session';
import { ROUTES, paths } from '@/paths';
import { TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';

interface Props {
  /** What the fields hold at first. */
  typed: TypedRequest;
  /** What is wrong with that, as of a URL. */
  errors: RequestErrors;
}

/** 'I have … minutes on …': asks for a session (study.session-form). */
export function SessionForm({ typed, errors }: Props) {
  const navigate = useNavigate();
  const [minutes, setMinutes] = useState(typed.minutes);
  const [topic, setTopic] = useState(typed.topic);
  const [isTyped, setTyped] = useState(false);
  const wordId = useId();
  const form = useForm({
    submit: async () => {
      const checked = checkRequest({ minutes, topic });
      if ('errors' in checked) {
        const field = checked.errors.minutes === undefined ? 'topic' : 'minutes';
        throw new ApiError({ status: 422, code: 'validation_failed', message: checked.errors[field] ?? '', field });
      }
      // A new session, also where one was asked for in the same words before.
      queryClient.removeQueries({ queryKey: sessionQuery(checked.request).queryKey });
      await navigate(paths.sessionOf(checked.request.minutes, checked.request.topic));
    },
  });
  const errorOf = (name: keyof TypedRequest) => form.wrong(name) ?? (isTyped || form.error ? null : (errors[name] ?? null));
  const choose = (value: string) => {
    setTyped(true);
    setMinutes(value);
    form.clear();
  };
  return (
    <div className="page page--text session-ask">
      <h1 className="page__title" tabIndex={-1}>
        {ROUTES.session.title}
      </h1>
      <p className="page__lead">Key ideas of several books, one after another, to read or to hear in one go.</p>
      <form {...form.props} className="form session-form">
        <FormAlert form={form} />
        <div className="session-form__words">
          <p className="session-form__word" aria-hidden="true">
            I have
          </p>
          <div className="session-form__minutes">
            <TextField
              label="Minutes"
              name="minutes"
              className="tabular"
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              value={minutes}
              error={errorOf('minutes')}
              onChange={({ target }) => {
                setTyped(true);
                setMinutes(target.value.replace(/\D/g, ''));
              }}
            />
          </div>
          <p className="session-form__word" aria-hidden="true">
            minutes on
          </p>
          <div className="session-form__topic">
            <TextField
              label="Topic"
              name="topic"
              autoComplete="off"
              value={topic}
              hint="If you like: negotiation, sleep, habits"
              error={errorOf('topic')}
              onChange={({ target }) => {
                setTyped(true);
                setTopic(target.value);
              }}
            />
          </div>
        </div>
        <div role="group" aria-labelledby={wordId}>
          <p className="visually-hidden" id={wordId}>
            Usual lengths
          </p>
          <ul className="chips">
            {QUICK_MINUTES.map((quick) => (
              <li key={quick}>
                <button type="button" className="chip chip--plain tabular" aria-pressed={minutes === String(quick)} onClick={() => choose(String(quick))}>
                  {`${quick} min`}
                </button>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <SubmitButton form={form} busyText="Starting" large>
            Start
          </SubmitButton>
        </div>
      </form>
    </div>
  );
}
