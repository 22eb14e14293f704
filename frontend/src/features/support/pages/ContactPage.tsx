import { useSearchParams } from 'react-router';
import { MessageForm } from '@/features/support/components/MessageForm';
import { SentNotice } from '@/features/support/components/SentNotice';
import { SuggestForm } from '@/features/support/components/SuggestForm';
import { SupportFrame } from '@/features/support/components/SupportFrame';
import { useSignedIn } from '@/api/session';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** /contact (support.contact-form); with ?kind=suggest the form to suggest a missing book. */
export function Component() {
  const [params] = useSearchParams();
  return params.get('kind') === 'suggest' ? <SuggestForm /> : <ContactForm />;
}

function ContactForm() {
  useTitle(ROUTES.contact.title);
  const home = useSignedIn() ? paths.home : paths.front;
  return (
    <SupportFrame title="Contact us" lead="A question, a problem, a suggestion, a missing book: a person reads every message." here={paths.contact}>
      <MessageForm
        kind="contact"
        label="Message"
        button="Send message"
        sent={
          <SentNotice title="Message Sent!">
            <p>We will reply to the address you gave.</p>
            <LinkButton to={home}>Back to Home</LinkButton>
          </SentNotice>
        }
      />
    </SupportFrame>
  );
}
