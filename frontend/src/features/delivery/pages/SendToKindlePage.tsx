import '@/features/delivery/files.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { isNotFound, rawMessageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { accountQuery } from '@/shared/session/account';
import { BookPicker } from '@/features/delivery/components/BookPicker';
import type { Send } from '@/features/delivery/components/BookPicker';
import { DeliveryLog } from '@/features/delivery/components/DeliveryLog';
import { FileSkeleton, PaidOnly } from '@/features/delivery/components/PaidOnly';
import { ApprovedSender } from '@/features/delivery/components/ApprovedSender';
import { BookNotFound, ComingSoon, BookHeader } from '@/features/delivery/components/BookHeader';
import { fileQuery, kindleQuery, invalidateDeliveries } from '@/features/delivery/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = ({ params: { bookId } }: LoaderFunctionArgs) =>
  settleBeforeFirstRender(
    queryClient.query(accountQuery()),
    queryClient.query(kindleQuery()),
    ...(bookId === undefined ? [] : [queryClient.query(fileQuery(bookId))]),
  );

/** /send-to-kindle and /send-to-kindle/{bookId}: mails a book to the e-reader, with the delivery log (delivery.e-reader-send). */
export function Component() {
  const { bookId } = useParams();
  const { error } = useQuery({ ...fileQuery(bookId ?? ''), enabled: bookId !== undefined });
  if (isNotFound(error)) return <BookNotFound />;
  return (
    <div className="page page--text kindle">
      <Title />
      <PaidOnly>
        <SendForm key={bookId ?? ''} bookId={bookId ?? null} />
      </PaidOnly>
    </div>
  );
}

function Title() {
  useTitle(ROUTES.sendToKindle.title);
  return <h1 className="page__title">Send to Kindle</h1>;
}

function SendForm({ bookId }: { bookId: string | null }) {
  const { data: kindle, error, refetch } = useQuery(kindleQuery());
  const send = useMutation({
    mutationFn: (id: string) => call('POST /api/kindle/send/{bookId}', { path: { bookId: id } }),
    onSuccess: invalidateDeliveries,
  });
  if (!kindle) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FileSkeleton label="Loading" />;
  if (kindle.kindleEmail === null) {
    return (
      <EmptyState
        title="What is your Kindle’s email address?"
        actions={
          <LinkButton kind="primary" to={bookId === null ? paths.setKindle : `${paths.setKindle}?book=${encodeURIComponent(bookId)}`}>
            Set your Kindle’s address
          </LinkButton>
        }
      >
        <p>Tell us once; after that, sending a summary takes one click.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="page__lead kindle__to">
        To <b>{kindle.kindleEmail}</b>
        <LinkButton kind="quiet" to={paths.setKindle}>
          Change
        </LinkButton>
      </p>
      {bookId === null ? <BookPicker send={send} /> : <ConfirmBook id={bookId} send={send} />}
      <DeliveryLog />
      <ApprovedSender sender={kindle.sender} />
    </>
  );
}

/** The book in the URL, to be confirmed before it is sent, because an external link may have led here. */
function ConfirmBook({ id, send }: { id: string; send: Send }) {
  const { data: file, error, refetch } = useQuery(fileQuery(id));
  if (!file) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FileSkeleton label="Loading the book" />;
  const { book, canDownload } = file;
  // A plan unlocks every text, so this one does not exist yet.
  if (!canDownload) return <ComingSoon book={book} />;
  return (
    <>
      <BookHeader book={book} />
      {send.isError ? <Alert kind="warning">{rawMessageOf(send.error)}</Alert> : null}
      {send.isSuccess ? <Alert kind="success">It is on its way. It should be on your Kindle in a few minutes.</Alert> : null}
      <div className="kindle__one">
        {/* The button stays after the send, because it has the focus. */}
        <Button
          kind={send.isSuccess ? 'secondary' : 'primary'}
          large
          busy={send.isPending}
          busyText="Sending"
          aria-disabled={send.isSuccess}
          onClick={() => send.mutate(book.subid)}
        >
          {send.isSuccess ? 'Sent' : 'Send this summary'}
        </Button>
        <LinkButton kind="quiet" to={paths.book(book.subid)}>
          Back to the summary
        </LinkButton>
        <LinkButton kind="quiet" to={paths.sendToKindle()}>
          Another book
        </LinkButton>
      </div>
    </>
  );
}
