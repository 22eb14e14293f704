import { MessageForm } from '@/features/support/components/MessageForm';
import { SentNotice } from '@/features/support/components/SentNotice';
import { SupportFrame } from '@/features/support/components/SupportFrame';
import { useSignedIn } from '@/api/session';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** /contact (back-office.md §2). */
export function Component() {
  useTitle(ROUTES.contact.title);
  const home = useSignedIn() ? paths.home : paths.front;
  return (
    <SupportFrame title="Contact us" lead="A question, a trouble, a wish, a book that is missing: a person reads every message." here={paths.contact}>
      <MessageForm
        kind="contact"
        label="Message"
        button="Send Message"
        sent={
          <SentNotice title="Message Sent!">
            <p>We answer to the address that you gave.</p>
            <LinkButton to={home}>Back to Home</LinkButton>
          </SentNotice>
        }
      />
    </SupportFrame>
  );
}
