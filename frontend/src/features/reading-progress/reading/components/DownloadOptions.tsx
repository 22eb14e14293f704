import { callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import type { Book } from '@/api/types';
import { OfferButton } from '@/shared/payment/OfferButton';
import { KeepRecording } from '@/features/reading-progress/reading/components/KeepRecording';
import { mayListen } from '@/features/reading-progress/reading/components/ListenButton';
import { saveFile } from '@/lib/saveFile';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ShareButton } from '@/ui/ShareButton';
import { useMutation } from '@tanstack/react-query';

/** Downloads the summary as a file, or sends it to an e-reader (delivery.download-rights, delivery.e-reader-send). */
export function DownloadOptions({ book }: { book: Book }) {
  const signedIn = useSignedIn();
  const epub = useMutation({
    mutationFn: () => callFile('GET /api/books/download-epub/{id}', { path: { id: book.subid } }),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  return (
    <div>
      <h3 className="reader-options__title">Take it with you</h3>
      {epub.isError ? <Alert kind="warning">{messageOf(epub.error)}</Alert> : null}
      <div className="reader-options__files">
        <LinkButton to={paths.downloadPdf(book.subid, book.title)}>
          <Icon name="download" /> PDF
        </LinkButton>
        {signedIn ? (
          <Button busy={epub.isPending} busyText="EPUB" onClick={() => epub.mutate()}>
            <Icon name="download" /> EPUB
          </Button>
        ) : null}
        {book.isPaidUser ? (
          <LinkButton to={paths.sendToKindle(book.subid)}>
            <Icon name="send" /> Send to Kindle
          </LinkButton>
        ) : (
          <OfferButton label="Send to Kindle" text="With a plan, you can send any summary to your Kindle as a book of its own." />
        )}
        <ShareButton path={paths.book(book.subid)} title={`${book.title} by ${book.author}`} />
      </div>
      {signedIn && mayListen(book) ? <KeepRecording book={book} /> : null}
    </div>
  );
}
