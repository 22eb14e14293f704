import { useRef, useState } from 'react';
import { call } from '@/api/client';
import type { User } from '@/api/types';
import { ResendConfirmation } from '@/shared/session/ResendConfirmation';
import { ownNameOf } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { EmailField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

interface Props {
  /** The inviting member, whose name is prefilled and can be changed. */
  user: User;
  /** Whether to scroll up to an error; false where the form is one of several things on the page. */
  scroll?: boolean;
  onSent?: () => void;
}

/** Invites a friend by e-mail (referral.invitation-fields): on /refer-a-friend and in the box on /home. */
export function InviteForm({ user, scroll = true, onSent }: Props) {
  const place = useRef<HTMLFormElement>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    required: {
      yourName: 'Your name is missing.',
      friendName: 'Your friend’s name is missing.',
      friendEmail: 'Your friend’s email address is missing.',
    },
    incomplete: 'Please complete the form.',
    scroll,
    submit: async (data) => {
      const friendEmail = text(data, 'friendEmail').trim();
      await call('POST /api/contact/invite', {
        body: { yourName: text(data, 'yourName').trim(), friendName: text(data, 'friendName').trim(), friendEmail },
      });
      setSentTo(friendEmail);
      // Clears the fields for the next friend. The button is not replaced, because it has the focus.
      place.current?.reset();
      onSent?.();
    },
  });
  const refused = form.error?.code === 'not_confirmed';
  return (
    <div className="invite-form">
      {/* Shown before anything is filled in. The form stays: the member may confirm the address in another tab. */}
      {user.emailConfirmed || refused ? null : (
        <Alert>
          Please confirm your email address first. The link is in the email that we sent to {user.email}.
          <ResendConfirmation />
        </Alert>
      )}
      <FormAlert form={form}>{refused ? <ResendConfirmation /> : null}</FormAlert>
      {sentTo && !form.error ? <Alert kind="success">{`An invitation is on its way to ${sentTo}.`}</Alert> : null}
      <form className="form" ref={place} {...form.props}>
        <TextField
          label="Your name"
          name="yourName"
          autoComplete="name"
          maxLength={100}
          required
          defaultValue={ownNameOf(user)}
          error={form.wrong('yourName')}
        />
        <div className="form__pair">
          <TextField label="Friend’s name" name="friendName" autoComplete="off" maxLength={100} required error={form.wrong('friendName')} />
          <EmailField label="Friend’s email" name="friendEmail" autoComplete="off" error={form.wrong('friendEmail')} />
        </div>
        <SubmitButton form={form} busyText="Sending">
          Send invitation
        </SubmitButton>
      </form>
    </div>
  );
}
