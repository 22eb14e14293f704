import '@/features/files/files.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '@/api/account';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { BookChoice } from '@/features/files/components/BookChoice';
import { Log } from '@/features/files/components/Log';
import { Paid, Waiting } from '@/features/files/components/Paid';
import { Sender } from '@/features/files/components/Sender';
import { kindleQuery, renewDeliveries } from '@/features/files/queries';
import { settleFirst } from '@/lib/start';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = () => settleFirst(queryClient.query(accountQuery()), queryClient.query(kindleQuery()));

/** /send-to-kindle and /send-to-kindle/{bookId}: mails a book to the e-reader, and tells what became of it (decisions.md 31). */
export function Component() {
  useTitle('Send to Kindle');
  const { bookId } = useParams();
  return (
    <div className="page page--text kindle">
      <h1 className="page__title">Send to Kindle</h1>
      <Paid>
        <Sending key={bookId ?? ''} bookId={bookId ?? null} />
      </Paid>
    </div>
  );
}

function Sending({ bookId }: { bookId: string | null }) {
  const { data: kindle, error, refetch } = useQuery(kindleQuery());
  const send = useMutation({
    mutationFn: (id: string) => call('POST /api/kindle/send/{bookId}', { path: { bookId: id } }),
    onSuccess: renewDeliveries,
  });
  if (!kindle) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Waiting label="Loading" />;
  if (kindle.kindleEmail === null) {
    return (
      <EmptyState
        title="Where does your Kindle take mail?"
        actions={
          <LinkButton kind="primary" to={bookId === null ? paths.setKindle : `${paths.setKindle}?book=${encodeURIComponent(bookId)}`}>
            Set your Kindle’s address
          </LinkButton>
        }
      >
        <p>Tell us once; after that a summary is on your Kindle with one press.</p>
      </EmptyState>
    );
  }
  const sending = send.isPending ? send.variables : null;
  return (
    <>
      <p className="page__lead kindle__to">
        To <b>{kindle.kindleEmail}</b>
        <LinkButton kind="quiet" to={paths.setKindle}>
          Change
        </LinkButton>
      </p>
      {send.isError ? <Alert kind="warning">{messageOf(send.error)}</Alert> : null}
      {send.isSuccess ? <Alert kind="success">It is on its way. It takes some minutes until it is on your Kindle.</Alert> : null}
      {bookId === null ? (
        <BookChoice sending={sending} onSend={send.mutate} />
      ) : (
        <div className="kindle__one">
          {send.isSuccess ? null : (
            <Button kind="primary" large busy={send.isPending} busyText="Sending" onClick={() => send.mutate(bookId)}>
              Send this summary
            </Button>
          )}
          <LinkButton kind="quiet" to={paths.book(bookId)}>
            Back to the summary
          </LinkButton>
          <LinkButton kind="quiet" to={paths.sendToKindle}>
            Another book
          </LinkButton>
        </div>
      )}
      <Log />
      <Sender sender={kindle.sender} />
    </>
  );
}
