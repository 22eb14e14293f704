import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '@/api/client';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { readDraft, removeDraft, storeDraft } from '@/shared/offline/drafts';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { useFragment } from '@/shared/session/useFragment';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginAgainFor, loginFor, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { LinkButton } from '@/ui/Button';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';

/** The key of the link's code while the member logs in. Stored in this tab, because a URL would be sent to the server. */
const PENDING = 'confirm-email';

/** /confirm-email: the link in a mail. Confirming takes a button press, so that a mail scanner does not confirm. */
export function Component() {
  useTitle(ROUTES.confirmEmail.title);
  const queries = useQueryClient();
  const fragment = useFragment();
  const [pending] = useState(() => readDraft(PENDING)['code'] ?? null);
  const code = fragment ?? pending;
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  const [step, setStep] = useState<'ask' | 'done' | 'removed' | 'sent'>('ask');
  useStepFocus(step);
  const form = useForm({
    submit: async () => {
      const { passwordRemoved } = await call('POST /api/user/confirm-email', { body: { code: code ?? '' } });
      removeDraft(PENDING);
      await queries.invalidateQueries({ queryKey: ['member'] });
      setStep(passwordRemoved ? 'removed' : 'done');
    },
  });
  const again = useForm({
    submit: async () => {
      await call('POST /api/user/confirm-email/send');
      form.clear();
      setStep('sent');
    },
  });
  const spent = form.error?.code === 'code_invalid';
  useEffect(() => {
    if (spent) removeDraft(PENDING);
  }, [spent]);
  // The link changes an account's address, and this browser is not logged in to that account.
  const elsewhere = form.error?.code === 'fresh_login_required';
  const needsLogin = !signedIn || elsewhere;
  // The link was opened a second time: the address is already confirmed.
  const already = (spent || !code) && user?.emailConfirmed === true;

  if (step === 'done' || already) {
    return (
      <AuthFrame title="Thank you">
        <div className="auth__said">
          <Alert kind="success">{already ? 'Your email address is already confirmed.' : 'Your email address is confirmed.'}</Alert>
          <LinkButton kind="primary" large wide to={signedIn ? paths.home : paths.login}>
            {signedIn ? 'Go to My Home' : 'Log in'}
          </LinkButton>
        </div>
      </AuthFrame>
    );
  }
  if (step === 'removed') {
    return (
      <AuthFrame title="Thank you">
        <div className="auth__said">
          <Alert kind="success">
            Your email address is confirmed. Its password was chosen on another device, before we knew that the address was yours: to keep others out, we have
            removed it.
          </Alert>
          <LinkButton kind="primary" large wide to={signedIn ? paths.account : paths.forgotPassword} state={{ email: user?.email }}>
            Choose a new password
          </LinkButton>
        </div>
      </AuthFrame>
    );
  }
  if (step === 'sent') {
    return (
      <AuthFrame title="Check your email">
        <div className="auth__said">
          <Alert kind="success">We have sent the email again. Its link works once, within seven days.</Alert>
        </div>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Confirm your address"
      subtitle={code ? 'This tells us that our emails reach you.' : 'This link is incomplete. Please open the link in the email again.'}
    >
      {again.error ? <FormAlert form={again} /> : <FormAlert form={form} />}
      {code && !spent ? (
        <form {...form.props}>
          {!signedIn && !elsewhere ? (
            <p className="auth__reason">
              You are not logged in here. Log in with your password first: that way, you keep it, and this device stays logged in. Then confirm.
            </p>
          ) : null}
          {needsLogin ? (
            <LinkButton
              kind="primary"
              large
              wide
              to={signedIn ? loginAgainFor(paths.confirmEmail) : loginFor(paths.confirmEmail)}
              onClick={() => storeDraft(PENDING, { code })}
            >
              Log in first
            </LinkButton>
          ) : null}
          <div className={needsLogin ? 'auth__apart' : undefined}>
            {!signedIn && !elsewhere ? (
              <p className="auth__small">
                Did someone else sign up with your address? Then confirm without logging in. To keep others out, that logs out every device and removes the
                password.
              </p>
            ) : null}
            <SubmitButton form={form} kind={!signedIn ? 'harm' : elsewhere ? 'secondary' : 'primary'} large={!needsLogin} wide busyText="Confirming">
              {signedIn ? 'Confirm my address' : 'Confirm without logging in'}
            </SubmitButton>
          </div>
        </form>
      ) : signedIn ? (
        <form {...again.props}>
          <SubmitButton form={again} large wide busyText="Sending">
            Send the email again
          </SubmitButton>
        </form>
      ) : (
        <LinkButton kind="primary" large wide to={loginFor(paths.account)}>
          Log in to get a new email
        </LinkButton>
      )}
    </AuthFrame>
  );
}
