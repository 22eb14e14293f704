import { useSearchParams } from 'react-router';
import { MessageForm } from '@/features/support/components/MessageForm';
import { SentNotice } from '@/features/support/components/SentNotice';
import { SupportFrame } from '@/features/support/components/SupportFrame';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** The form to suggest a missing book: /suggest and /contact?kind=suggest (support.suggestion-form). */
export function SuggestForm() {
  useTitle(ROUTES.suggest.title);
  // A search without results links here with the search text.
  const [params] = useSearchParams();
  return (
    <SupportFrame
      title="Suggest a book"
      lead="Which book should be here next? Title and author are enough; telling us why you would read it helps us choose."
      here={paths.suggest}
    >
      <MessageForm
        kind="suggest"
        label="Message"
        message={params.get('book')?.slice(0, 200) ?? ''}
        placeholder="Title, author, and what makes it worth the time"
        button="Send suggestion"
        sent={
          <SentNotice title="Thanks for the message!">
            <p>We read every suggestion when we choose the next books.</p>
            <LinkButton to={paths.books}>See the books</LinkButton>
          </SentNotice>
        }
      />
    </SupportFrame>
  );
}
