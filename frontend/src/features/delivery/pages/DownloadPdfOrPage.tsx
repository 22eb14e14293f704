import '@/features/delivery/files.css';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { FileSkeleton } from '@/features/delivery/components/PaidOnly';
import { BookNotFound, ComingSoon, BookHeader } from '@/features/delivery/components/BookHeader';
import { fileQuery } from '@/features/delivery/queries';
import type { File } from '@/features/delivery/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths, plansFor } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { ErrorState } from '@/ui/State';

export const loader = ({ params: { id = '' } }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(fileQuery(id)));

/** /download-pdf-or/{id}/{title}: choose your package, the PDF of one book or everything (delivery.package-choice). */
export function Component() {
  // The title in the URL is for readability only: the page shows the book's own.
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(fileQuery(id));
  if (isNotFound(error)) return <BookNotFound />;
  return (
    <div className="page page--text file-choice">
      <Title />
      {data ? <Packages file={data} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FileSkeleton label="Loading the packages" />}
    </div>
  );
}

function Title() {
  useTitle(ROUTES.downloadPdfOr.title);
  return <h1 className="page__title">Choose your package</h1>;
}

function Packages({ file: { book, canDownload, takesOne } }: { file: File }) {
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  if (book.comingSoon || (user?.isPaid && !canDownload)) return <ComingSoon book={book} />;
  const back = (
    <LinkButton kind="quiet" to={paths.book(book.subid)}>
      Back to the summary
    </LinkButton>
  );
  if (canDownload) {
    // Instead of using a free summary the book can be bought.
    const isForSale = signedIn && !user?.isPaid && takesOne;
    const right = !signedIn
      ? 'The PDF of this summary is free with an account.'
      : user?.isPaid
        ? 'The PDF of this summary is part of your plan.'
        : takesOne
          ? 'The PDF of this summary counts as one of your free summaries.'
          : 'You already own the PDF of this summary.';
    return (
      <>
        <BookHeader book={book} />
        <p className="page__lead">{right}</p>
        <div className="file-choice__actions">
          <LinkButton kind="primary" large to={paths.downloadPdf(book.subid, book.title)} state={{ takes: book.id }}>
            Download PDF
          </LinkButton>
          {user?.isPaid || isForSale ? null : (
            <LinkButton large to={plansFor(paths.book(book.subid))}>
              Upgrade
            </LinkButton>
          )}
          {isForSale ? null : back}
        </div>
        {isForSale ? (
          <>
            <p>Or keep that for another summary:</p>
            <Offers book={book} />
            {back}
          </>
        ) : null}
      </>
    );
  }
  return (
    <>
      <BookHeader book={book} />
      <p className="page__lead">Keep this summary as a file, or read them all.</p>
      <Offers book={book} isMain />
      {back}
    </>
  );
}

/** The two packages. `isMain`: they are the only action on the page. */
function Offers({ book, isMain = false }: { book: File['book']; isMain?: boolean }) {
  return (
    <ul className="file-choice__cards">
      <li className="file-choice__card">
        <h2>One book</h2>
        <p>The summary of “{book.title}” as a print-ready PDF. It is yours for good.</p>
        <LinkButton large to={paths.pdfOf(book.subid)}>
          PDF
        </LinkButton>
      </li>
      <li className={isMain ? 'file-choice__card file-choice__card--all' : 'file-choice__card'}>
        <h2>Everything</h2>
        <p>Every summary to read, listen to, watch, download and send to your Kindle.</p>
        <LinkButton kind={isMain ? 'primary' : 'secondary'} large to={plansFor(paths.book(book.subid))}>
          Upgrade
        </LinkButton>
      </li>
    </ul>
  );
}
