import { useState } from 'react';
import { call } from '@/api/client';
import { text, useForm } from '@/lib/useForm';
import { Alert } from '@/ui/Alert';
import { ConfirmAgain } from '@/ui/ConfirmAgain';
import { EmailField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';

interface Props {
  /** The member's own name, to be changed as a friend would know them. */
  yourName: string;
  /** Whether the page scrolls up to what went wrong; not where the form is one of several things on it. */
  scroll?: boolean;
  onSent?: () => void;
}

/** Invites a friend by mail (member.md §5): on /refer-a-friend and in the box on /home. */
export function InviteForm({ yourName, scroll = true, onSent }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const form = useForm({
    required: {
      yourName: 'Your name is missing.',
      friendName: 'Your friend’s name is missing.',
      friendEmail: 'Your friend’s e-mail address is missing.',
    },
    incomplete: 'Please complete the form.',
    scroll,
    submit: async (data) => {
      const friendEmail = text(data, 'friendEmail').trim();
      await call('POST /api/contact/invite', {
        body: { yourName: text(data, 'yourName').trim(), friendName: text(data, 'friendName').trim(), friendEmail },
      });
      setSentTo(friendEmail);
      // The next friend gets empty fields.
      setRound(round + 1);
      onSent?.();
    },
  });
  return (
    <div className="invite-form">
      <FormAlert form={form}>{form.trouble?.code === 'not_confirmed' ? <ConfirmAgain /> : null}</FormAlert>
      {sentTo && !form.trouble ? <Alert kind="success">{`An invitation is on its way to ${sentTo}.`}</Alert> : null}
      <form className="form" key={round} {...form.props}>
        <TextField label="Your name" name="yourName" autoComplete="name" maxLength={100} required defaultValue={yourName} error={form.wrong('yourName')} />
        <div className="form__pair">
          <TextField label="Friend’s name" name="friendName" autoComplete="off" maxLength={100} required error={form.wrong('friendName')} />
          <EmailField
            label="Friend’s e-mail"
            name="friendEmail"
            autoComplete="off"
            error={form.wrong('friendEmail')}
          />
        </div>
        <SubmitButton form={form} busyText="Sending">
          Send Invitation
        </SubmitButton>
      </form>
    </div>
  );
}
