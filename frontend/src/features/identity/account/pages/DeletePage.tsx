import '@/shared/account/account.css';
import '@/features/identity/account/account.css';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import { site } from '@/lib/site';
import { ArchiveRow } from '@/features/identity/account/components/ArchiveRow';
import { useFreshProof } from '@/shared/session/FreshProof';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** The questions are the fields' labels (support.form-labels). */
const WHY = 'Why are you deleting your account?';
const HOW = 'How did you find out about us?';

/** Suggested answers (identity.deletion-reasons): a press fills in the text, which can be edited. */
const ANSWERS = {
  why: { label: 'Reasons to choose from', ready: ['I do not use it', 'It is too expensive', 'I read elsewhere', 'I would rather not say'] },
  how: { label: 'Ways to choose from', ready: ['A friend', 'A search', 'An article', 'I would rather not say'] },
} as const;

/** The message for a failed deletion (identity.account-deletion). */
const failed = (email: string) => `Unable to delete account. Please email us at ${email}.`;

/** The error of the first blank field (identity.deletion-reasons). */
const missing = (label: string) => `Please specify ${label}.`;

/** /account/delete: the consequences, the archive, two questions, and the deletion. */
export function Component() {
  useTitle(ROUTES.accountDelete.title);
  const signedIn = useSignedIn();
  return (
    <div className="page page--text leave">
      <Link className="link link--more" to={paths.account}>
        <Icon name="arrowLeft" />
        Account
      </Link>
      <h1 className="page__title">Delete Account</h1>
      {signedIn ? (
        <>
          <p className="page__lead">We are sorry to see you go. This can’t be undone.</p>
          <section className="account__section" aria-labelledby="what-happens">
            <h2 className="account__heading" id="what-happens">
              What will happen
            </h2>
            <ul className="leave__points">
              <li>Your profile, your reading, your library and your ratings are removed.</li>
              <li>You are logged out on all your devices.</li>
              <li>A running plan is not renewed and ends with your account.</li>
              <li>You can use your email address right away to sign up again from scratch.</li>
            </ul>
          </section>
          <section className="account__section" aria-labelledby="take-along">
            <h2 className="account__heading" id="take-along">
              Take your data with you
            </h2>
            <ArchiveRow />
          </section>
          <section className="account__section" aria-labelledby="questions">
            <h2 className="account__heading" id="questions">
              Before you go
            </h2>
            <Questions />
          </section>
        </>
      ) : (
        <div className="state">
          <p className="state__text">Please log in first, so that we know which account you mean.</p>
          <div className="state__actions">
            <LinkButton kind="primary" to={loginFor(paths.accountDelete)}>
              Log in
            </LinkButton>
          </div>
        </div>
      )}
    </div>
  );
}

function Questions() {
  const navigate = useNavigate();
  const { withProof, dialog } = useFreshProof();
  const form = useForm({
    scroll: false,
    required: { why: missing(WHY), how: missing(HOW) },
    submit: async (typed) => {
      try {
        await withProof(() => call('POST /api/user/delete', { body: { why: text(typed, 'why').trim(), how: text(typed, 'how').trim() } }));
      } catch (error) {
        // Errors that the member can fix keep their message: a field, a rate limit, a missing proof. Others show the support
        // address.
        if (error instanceof ApiError && (error.field !== null || error.retryAfter !== null || error.code === 'proof_cancelled')) throw error;
        const code = error instanceof ApiError ? error.code : 'internal';
        throw new ApiError({ status: 500, code, message: failed(site.supportEmail) });
      }
      toast('Your account has been deleted.');
      await navigate(paths.logout, { replace: true });
    },
  });
  return (
    <>
      <form className="form leave__form" {...form.props}>
        <FormAlert form={form} />
        <p className="setting__note">Your answers reach us without your name.</p>
        <Question name="why" label={WHY} rows={3} error={form.wrong('why')} />
        <Question name="how" label={HOW} rows={2} error={form.wrong('how')} />
        <div className="setting__buttons">
          <SubmitButton form={form} kind="harm" busyText="Deleting your account">
            Delete Account
          </SubmitButton>
          <LinkButton kind="quiet" to={paths.account}>
            Keep my account
          </LinkButton>
        </div>
      </form>
      {dialog}
    </>
  );
}

/** A required question with suggested answers. */
function Question({ name, label, rows, error }: { name: keyof typeof ANSWERS; label: string; rows: number; error: string | null }) {
  const [answer, setAnswer] = useState('');
  return (
    <div className="leave__question">
      <TextArea
        label={label}
        name={name}
        rows={rows}
        maxLength={2000}
        required
        error={error}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
      />
      <ul className="leave__answers" aria-label={ANSWERS[name].label}>
        {ANSWERS[name].ready.map((ready) => (
          <li key={ready}>
            <Button aria-pressed={answer === ready} onClick={() => setAnswer(ready)}>
              {ready}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
