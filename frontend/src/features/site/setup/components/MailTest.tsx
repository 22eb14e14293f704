import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import type { Setup } from '@/features/site/setup/queries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { text } from '@/ui/useForm';

interface Props {
  setup: Setup;
  /** Runs a call with the token; a wrong one is shown at its field. */
  withToken: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Where emails go, and a button of the form that sends one to the admin's address. */
export function MailTest({ setup: { mail, mailServer }, withToken }: Props) {
  const [missing, setMissing] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: (body: { token: string; email: string }) => withToken(() => call('POST /api/setup/mail-test', { body })),
  });
  /** Sends an email to the address in the form; without one, or without a token, focuses that field. */
  const send = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const body = { token: text(data, 'token').trim(), email: text(data, 'username').trim() };
    const field = body.token === '' ? 'token' : body.email === '' ? 'username' : null;
    setMissing(field === null ? null : field === 'token' ? 'Enter the setup token first.' : 'Enter your email address first.');
    test.reset();
    if (field === null) test.mutate(body);
    else form.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  };
  return (
    <>
      <p className="setup__fact">
        {mail === 'smtp' ? (
          <>
            Emails are sent by the mail server <b>{mailServer}</b>.
          </>
        ) : (
          'There is no mail server: nobody receives an email. Emails are kept as files in the outbox folder on the server. The server’s setting SMTP_URL names a mail server.'
        )}
      </p>
      <div>
        <Button
          busy={test.isPending}
          busyText="Sending"
          onClick={({ currentTarget: { form } }) => {
            if (form) send(form);
          }}
        >
          Send a test email
        </Button>
        <div role="status" className="setup__result">
          {missing !== null ? <Alert>{missing}</Alert> : null}
          {test.isError ? <Alert kind="warning">{messageOf(test.error)}</Alert> : null}
          {test.isSuccess ? (
            <Alert kind="success">
              {mail === 'smtp' ? `The email to ${test.variables.email} was sent. Check that it arrives.` : 'The email is in the outbox folder.'}
            </Alert>
          ) : null}
        </div>
      </div>
    </>
  );
}
