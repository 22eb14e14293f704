import { useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { useSignedIn } from '@/api/session';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { contextOf, withContext } from '@/shared/session/context';
import { useCompleteSignIn } from '@/features/identity/useCompleteSignIn';
import { useFragment } from '@/shared/session/useFragment';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';

/**
 * /login-link: the link in a mail. Exchanging its secret for a session takes a button press, so that a mail scanner that opens
 * links does not use it up (identity.login-link).
 */
export function Component() {
  useTitle(ROUTES.loginLink.title);
  const [params] = useSearchParams();
  const signedIn = useSignedIn();
  const secret = useFragment();
  const completeSignIn = useCompleteSignIn();
  const form = useForm({
    submit: () => completeSignIn(() => call('POST /api/user/login-link/session', { body: { token: secret ?? '' } })),
  });
  const login = withContext(paths.login, contextOf(params));
  const spent = form.error?.code === 'code_invalid';
  useStepFocus(spent ? 'spent' : 'form');

  if (!secret) {
    return (
      <AuthFrame title="Log in" subtitle="This link is incomplete. Please open the link in the email again, or ask for a new one.">
        <LinkButton kind="primary" large wide to={login}>
          Ask for a new link
        </LinkButton>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Log in"
      subtitle={
        signedIn ? 'You are logged in here already. The link logs you in as the person it was sent to.' : 'One click and you are in. The link works once.'
      }
    >
      <FormAlert form={form} />
      {spent ? (
        <LinkButton kind="primary" large wide to={login}>
          Ask for a new link
        </LinkButton>
      ) : (
        <form {...form.props}>
          <SubmitButton form={form} large wide busyText="Logging you in">
            Log in
          </SubmitButton>
        </form>
      )}
    </AuthFrame>
  );
}
