import { useState } from 'react';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { SentNotice } from '@/features/support/components/SentNotice';
import { SupportFrame } from '@/features/support/components/SupportFrame';
import { useDraft } from '@/features/support/useDraft';
import { usePrefilledContact } from '@/features/support/usePrefilledContact';
import { useHoneypot } from '@/features/support/useHoneypot';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { EmailField, TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** /feedback-form (support.feedback-form). */
export function Component() {
  useTitle(ROUTES.feedback.title);
  const own = usePrefilledContact();
  const forget = useDraft('feedback', own, 'feedback email');
  const [done, setDone] = useState(false);
  const honeypot = useHoneypot();
  const form = useForm({
    messageFor: rawMessageOf,
    required: { feedback: 'Your feedback is missing.', email: 'Your email address is missing.' },
    incomplete: 'Please input the required fields.',
    submit: async (data) => {
      await call('POST /api/feedback/send', { body: { feedback: text(data, 'feedback'), email: text(data, 'email').trim(), ...honeypot.of(data) } });
      forget();
      setDone(true);
    },
  });
  return (
    <SupportFrame
      title="What do you think?"
      lead="What works for you, what gets in your way, what is missing? Your answers shape what we make next."
      here={paths.feedback}
    >
      {done ? (
        <SentNotice title="Your feedback was submitted.">
          <LinkButton to={paths.books}>Back to the books</LinkButton>
        </SentNotice>
      ) : (
        <>
          <FormAlert form={form} />
          <form className="form support__form" ref={own} {...form.props}>
            <TextArea label="Feedback" name="feedback" rows={7} maxLength={5000} required error={form.wrong('feedback')} />
            <EmailField label="Email" name="email" autoComplete="email" error={form.wrong('email')} />
            {honeypot.field}
            <SubmitButton form={form} large busyText="Sending">
              Send Feedback
            </SubmitButton>
          </form>
        </>
      )}
    </SupportFrame>
  );
}
