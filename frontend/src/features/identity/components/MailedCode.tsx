import { useState } from 'react';
import { call } from '@/api/client';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import type { useCompleteSignIn } from '@/features/identity/useCompleteSignIn';
import { missingField } from '@/features/identity/validate';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { CodeField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { aboutField, digits, useForm } from '@/ui/useForm';

interface Props {
  email: string;
  /** Where the link in the mail redirects to. */
  target: string | null;
  completeSignIn: ReturnType<typeof useCompleteSignIn>;
  onBack: () => void;
}

/** Shown after a mail with a link and a code was requested. Does not reveal whether the address has an account. */
export function MailedCode({ email, target, completeSignIn, onBack }: Props) {
  const [again, setAgain] = useState(false);
  const form = useForm({
    required: { code: missingField('Code') },
    submit: (data) => {
      setAgain(false);
      return aboutField('code', () => completeSignIn(() => call('POST /api/user/login-code', { body: { email, code: digits(data, 'code') } })));
    },
  });
  const repeat = useForm({
    submit: async () => {
      form.clear();
      await call('POST /api/user/login-link', { body: { email, ...(target && { redirect: target }) } });
      setAgain(true);
    },
  });

  return (
    <AuthFrame
      title="Check your email"
      subtitle={
        <>
          If there is an account for <strong className="auth__address">{email}</strong>, an email with a link is on its way. The link works once, within 15
          minutes.
        </>
      }
    >
      {again ? <Alert kind="success">We have sent it again. Only the newest email works.</Alert> : null}
      {form.error ? <FormAlert form={form} /> : <FormAlert form={repeat} />}
      <form className="form" {...form.props}>
        <CodeField
          label="Code"
          name="code"
          hint="Or enter the six digits from the email, for instance if you are reading it on another device."
          required
          error={form.wrong('code')}
        />
        <SubmitButton form={form} large wide busyText="Logging you in">
          Log in
        </SubmitButton>
      </form>
      <form className="auth__more" {...repeat.props}>
        <SubmitButton form={repeat} kind="secondary" busyText="Sending">
          Send it again
        </SubmitButton>
        <Button kind="quiet" onClick={onBack}>
          Log in another way
        </Button>
      </form>
    </AuthFrame>
  );
}
