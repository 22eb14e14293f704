import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { PasskeyRefused, askPasskey, supportsPasskeys } from '@/shared/session/webauthn';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { securityQuery } from '@/shared/session/security';
import type { Security } from '@/shared/session/security';
import { Alert } from '@/ui/Alert';
import { Dialog } from '@/ui/Dialog';
import { CodeField, PasswordField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { digits, text, useForm } from '@/ui/useForm';

interface Request {
  /** Only a code sent by mail is accepted. */
  byMail: boolean;
  proved: () => void;
  cancel: () => void;
}

interface FreshProof {
  /** Makes a call; when the server requires a fresh proof of identity, asks for it in a dialog and repeats the call. */
  withProof: <T>(work: () => Promise<T>) => Promise<T>;
  /** The dialog. Render it outside of forms, because it contains forms. */
  dialog: ReactNode;
}

/** Error codes of calls that require a proof: any proof, or a mailed code. */
const WANTED: ReadonlySet<string> = new Set(['fresh_login_required', 'mailed_code_required']);

/** For calls that require a sign-in or proof within the last ten minutes: the member proves their identity in a dialog. */
export function useFreshProof(): FreshProof {
  const [request, setRequest] = useState<Request | null>(null);

  const withProof = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || !WANTED.has(error.code)) throw error;
      const byMail = error.code === 'mailed_code_required';
      await new Promise<void>((resolve, reject) => {
        const cancelled = new ApiError({ status: 0, code: 'proof_cancelled', message: 'Nothing was done, because you did not confirm that it is you.' });
        setRequest({ byMail, proved: resolve, cancel: () => reject(cancelled) });
      });
      return await work();
    }
  };

  const end = (how: 'proved' | 'cancel') => {
    setRequest(null);
    request?.[how]();
  };

  const dialog = (
    <Dialog open={request !== null} title="Confirm that it is you" onClose={() => end('cancel')}>
      <Proof byMail={request?.byMail ?? false} onProved={() => end('proved')} />
    </Dialog>
  );
  return { withProof, dialog };
}

interface ProofProps {
  byMail: boolean;
  onProved: () => void;
}

function Proof(props: ProofProps) {
  const { data: security } = useQuery(securityQuery());
  return security ? <Ways security={security} {...props} /> : <DialogSkeleton />;
}

/** The account's ways to prove identity: its password, its mailbox, its passkeys. */
function Ways({ security, byMail, onProved }: ProofProps & { security: Security }) {
  const askPassword = security.hasPassword && !byMail;
  const [mailed, setMailed] = useState(false);
  const password = useForm({
    scroll: false,
    required: { currentPassword: 'Your password is missing.' },
    submit: async (typed) => {
      await call('POST /api/user/proof', { body: { currentPassword: text(typed, 'currentPassword') } });
      onProved();
    },
  });
  const mail = useForm({
    scroll: false,
    submit: async () => {
      await call('POST /api/user/proof/code');
      setMailed(true);
    },
  });
  const code = useForm({
    scroll: false,
    required: { code: 'The code is missing.' },
    submit: async (typed) => {
      await call('POST /api/user/proof', { body: { code: digits(typed, 'code') } });
      onProved();
    },
  });
  const passkey = useForm({
    scroll: false,
    submit: async () => {
      const { ceremony, options } = await call('POST /api/user/passkey-login/options');
      let credential: Awaited<ReturnType<typeof askPasskey>>;
      try {
        credential = await askPasskey(options);
      } catch (error) {
        if (!(error instanceof PasskeyRefused)) throw error;
        throw new ApiError({ status: 0, code: 'passkey_refused', message: error.message });
      }
      await call('POST /api/user/proof', { body: { ceremony, credential } });
      onProved();
    },
  });
  const failed = [password, mail, code, passkey].find((form) => form.error !== null && Object.keys(form.error.fields).length === 0);

  return (
    <div className="form">
      <p>
        {byMail
          ? 'You are an editor or an admin. Before you set up your first second factor, please enter a code that we email to you.'
          : 'It has been a while since you logged in. After this, you continue where you were.'}
      </p>
      {failed ? <FormAlert form={failed} /> : null}
      {askPassword ? (
        <form className="form" {...password.props}>
          <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" required error={password.wrong('currentPassword')} />
          <SubmitButton form={password} busyText="Checking">
            Continue
          </SubmitButton>
        </form>
      ) : null}
      {mailed ? (
        <form className="form" {...code.props}>
          <Alert kind="success">We have sent you a code. It works once, within 15 minutes.</Alert>
          <CodeField label="Code" name="code" required error={code.wrong('code')} />
          <SubmitButton form={code} kind={askPassword ? 'secondary' : 'primary'} busyText="Checking">
            Continue with the code
          </SubmitButton>
        </form>
      ) : null}
      <form {...mail.props}>
        <SubmitButton
          form={mail}
          kind={byMail && !mailed ? 'primary' : 'secondary'}
          busyText="Sending"
          // Where no password is asked for: it only sends a code to the account's own address.
          {...(!askPassword && !mailed && { 'data-first-focus': true })}
        >
          {mailed ? 'Email me another code' : 'Email me a code'}
        </SubmitButton>
      </form>
      {!byMail && security.passkeys.length > 0 && supportsPasskeys() ? (
        <form {...passkey.props}>
          <SubmitButton form={passkey} kind="secondary" busyText="Waiting for your passkey">
            Use a passkey
          </SubmitButton>
        </form>
      ) : null}
    </div>
  );
}
