import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { session } from '@/api/session';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { missingField } from '@/features/identity/validate';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { LinkButton } from '@/ui/Button';
import { PasswordField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** Stored in the history entry, which is never sent to a server: it survives a reload of the page. */
interface ResetLink {
  email: string;
  code: string;
}

/**
 * The e-mail address and the code from the link. They are removed from the address bar at once, because URLs are copied, read by
 * others, synchronized and sent as a referrer; the page stays at /reset-password/-/-.
 */
function useResetLink(): ResetLink {
  const { email = '', code = '' } = useParams();
  const { state } = useLocation() as { state: Partial<ResetLink> | null };
  const navigate = useNavigate();
  const isPlain = code !== REMOVED;
  useEffect(() => {
    if (isPlain) void navigate(paths.resetPassword(REMOVED, REMOVED), { replace: true, state: { email, code } satisfies ResetLink });
  }, [navigate, isPlain, email, code]);
  return isPlain ? { email, code } : { email: state?.email ?? '', code: state?.code ?? '' };
}

/** Replaces the removed parts of the URL. */
const REMOVED = '-';

/** /reset-password/{email}/{code}: the link in the mail, which sets a new password (identity.reset-code). */
export function Component() {
  useTitle(ROUTES.resetPassword.title);
  const { email, code } = useResetLink();
  const [done, setDone] = useState(false);
  const form = useForm({
    messageFor: rawMessageOf,
    required: { password1: missingField('New Password'), password2: missingField('Confirm New Password') },
    submit: async (data) => {
      await call('PUT /api/user/reset-password', { body: { password1: text(data, 'password1'), password2: text(data, 'password2'), code, email } });
      // All sessions are revoked, including this browser's.
      session.end('left');
      setDone(true);
    },
  });

  const spent = form.error?.code === 'code_invalid';
  useStepFocus(done ? 'done' : spent ? 'spent' : 'form');

  if (done) {
    return (
      <AuthFrame title="Reset Password">
        <div className="auth__said">
          <Alert kind="success">Your password was changed. You can now login.</Alert>
          <LinkButton kind="primary" large wide to={paths.login}>
            Log in
          </LinkButton>
        </div>
      </AuthFrame>
    );
  }
  if (spent) {
    return (
      <AuthFrame title="Reset Password">
        <FormAlert form={form} />
        <LinkButton kind="primary" large wide to={paths.forgotPassword} state={{ email }}>
          Ask for a new link
        </LinkButton>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Reset Password"
      subtitle={
        <>
          Choose a new password for <strong className="auth__address">{email}</strong>. You will be logged out everywhere.
        </>
      }
    >
      <FormAlert form={form} />
      <form className="form" {...form.props}>
        {/* Tells password managers whose password this is. */}
        <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
        <PasswordField
          label="New Password"
          name="password1"
          autoComplete="new-password"
          hint="At least 8 characters."
          required
          error={form.wrong('password1')}
        />
        <PasswordField label="Confirm New Password" name="password2" autoComplete="new-password" required error={form.wrong('password2')} />
        <SubmitButton form={form} large wide busyText="Changing your password">
          Reset Password
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
