import { useState } from 'react';
import type { ReactNode } from 'react';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { useDraft } from '@/features/support/useDraft';
import { usePrefilledContact } from '@/features/support/usePrefilledContact';
import { useHoneypot } from '@/features/support/useHoneypot';
import { EmailField, TextArea, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** The error of an empty message (support.contact-form). */
const INCOMPLETE = 'Please complete the form.';

const MISSING_BODY = { body: 'Your message is missing.' };

/** The required fields of each form, in order: a suggestion requires only its message (support.suggestion-form). */
const REQUIRED = {
  contact: { name: 'Your name is missing.', email: 'Your email address is missing.', ...MISSING_BODY },
  suggest: MISSING_BODY,
};

interface Props {
  kind: keyof typeof REQUIRED;
  label: string;
  placeholder?: string;
  /** The initial message. */
  message?: string;
  button: string;
  /** Replaces the form once it is sent. */
  sent: ReactNode;
}

/** Name, e-mail and message, for `POST /api/contact`. A member's name and e-mail address are prefilled. */
export function MessageForm({ kind, label, placeholder, message, button, sent }: Props) {
  const own = usePrefilledContact();
  const forget = useDraft(kind, own, 'name email body');
  const [done, setDone] = useState(false);
  const honeypot = useHoneypot();
  const needsSender = 'name' in REQUIRED[kind];
  const form = useForm({
    messageFor: rawMessageOf,
    required: REQUIRED[kind],
    incomplete: INCOMPLETE,
    submit: async (data) => {
      await call('POST /api/contact', {
        body: { kind, name: text(data, 'name').trim(), email: text(data, 'email').trim(), body: text(data, 'body'), ...honeypot.of(data) },
      });
      forget();
      setDone(true);
    },
  });
  if (done) return sent;
  return (
    <>
      <FormAlert form={form} />
      <form className="form support__form" ref={own} {...form.props}>
        <div className="form__pair">
          <TextField
            label={needsSender ? 'Name' : 'Name (optional)'}
            name="name"
            autoComplete="name"
            maxLength={100}
            required={needsSender}
            error={form.wrong('name')}
          />
          <EmailField label={needsSender ? 'Email' : 'Email (optional)'} name="email" autoComplete="email" required={needsSender} error={form.wrong('email')} />
        </div>
        <TextArea
          label={label}
          name="body"
          rows={7}
          maxLength={5000}
          required
          defaultValue={message}
          {...(placeholder && { placeholder })}
          error={form.wrong('body')}
        />
        {honeypot.field}
        <SubmitButton form={form} large busyText="Sending">
          {button}
        </SubmitButton>
      </form>
    </>
  );
}
