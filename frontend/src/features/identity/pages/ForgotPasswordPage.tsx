import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { SupportLink } from '@/features/identity/components/SupportLink';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { missingField } from '@/features/identity/validate';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { EmailField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** /forgot-password: requests a link to set a new password (identity.recovery-answer). */
export function Component() {
  useTitle(ROUTES.forgotPassword.title);
  const typed = (useLocation().state as { email?: string } | null)?.email;
  const [sent, setSent] = useState(false);
  useStepFocus(sent ? 'sent' : 'form');
  const form = useForm({
    messageFor: rawMessageOf,
    required: { email: missingField('Email') },
    submit: async (data) => {
      await call('PUT /api/user/forgot-password', { body: { email: text(data, 'email').trim() } });
      setSent(true);
    },
  });

  if (sent) {
    return (
      <AuthFrame title="Forgot password">
        <div className="auth__said">
          <Alert kind="success">
            Please check your email for instructions on how to reset your password. If you have any questions, please email us at <SupportLink />.
          </Alert>
        </div>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Forgot password"
      subtitle={
        <>
          Enter your email address, and we will send you a link to set a new password. If you need help, please email us at <SupportLink />.
        </>
      }
    >
      <FormAlert form={form} />
      <form className="form" {...form.props}>
        <EmailField label="Email" name="email" autoComplete="username" defaultValue={typed} error={form.wrong('email')} />
        <SubmitButton form={form} large wide busyText="Sending the email">
          Reset Password
        </SubmitButton>
      </form>
      <p className="auth__links">
        <span>
          Remember it?{' '}
          <Link className="link" to={paths.login}>
            Log in
          </Link>
        </span>
      </p>
    </AuthFrame>
  );
}
