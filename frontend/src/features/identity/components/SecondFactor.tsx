import { useState } from 'react';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { secondFactorTicket } from '@/shared/session/signIn';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import type { useCompleteSignIn } from '@/features/identity/useCompleteSignIn';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { missingField } from '@/features/identity/validate';
import { site } from '@/lib/site';
import { Button } from '@/ui/Button';
import { CodeField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { digits, text, useForm } from '@/ui/useForm';

interface Props {
  completeSignIn: ReturnType<typeof useCompleteSignIn>;
  /** Called when the step ends without a login: cancelled (null), or expired. */
  onOver: (why: string | null) => void;
}

/** The second step of a login: a code from the authenticator app, or a recovery code. */
export function SecondFactor({ completeSignIn, onOver }: Props) {
  const [recovery, setRecovery] = useState(false);
  useStepFocus(recovery ? 'recovery' : 'app');
  const form = useForm({
    required: { code: missingField(recovery ? 'Recovery code' : 'Code') },
    submit: async (data) => {
      const code = recovery ? text(data, 'code').trim() : digits(data, 'code');
      try {
        await completeSignIn(() => call('POST /api/user/second-factor', { body: { ticket: secondFactorTicket.ticket() ?? '', code } }));
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status !== 401 && error.field !== 'ticket')) throw error;
        onOver('That took too long. Please log in again.');
      }
    },
  });

  return (
    <AuthFrame
      title={recovery ? 'Use a recovery code' : 'One more step'}
      subtitle={
        recovery ? 'Each of the codes that you saved works once.' : `Open your authenticator app and enter the six digits that it shows for ${site.name}.`
      }
    >
      <FormAlert form={form} />
      <form className="form" {...form.props}>
        {recovery ? (
          <TextField
            key="recovery"
            label="Recovery code"
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={form.wrong('code')}
          />
        ) : (
          <CodeField key="app" label="Code" name="code" required error={form.wrong('code')} />
        )}
        <SubmitButton form={form} large wide busyText="Logging you in">
          Log in
        </SubmitButton>
      </form>
      <div className="auth__more">
        <Button
          onClick={() => {
            form.clear();
            setRecovery(!recovery);
          }}
        >
          {recovery ? 'Use the app' : 'Use a recovery code'}
        </Button>
        <Button kind="quiet" onClick={() => onOver(null)}>
          Start again
        </Button>
      </div>
    </AuthFrame>
  );
}
