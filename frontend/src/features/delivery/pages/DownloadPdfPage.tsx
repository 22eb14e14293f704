import '@/features/delivery/files.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { callFile } from '@/api/client';
import { ApiError, isNotFound, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { BookCard } from '@/api/types';
import { accountQuery, allowanceQuery } from '@/shared/session/account';
import { FileSkeleton } from '@/features/delivery/components/PaidOnly';
import { BookNotFound, ComingSoon } from '@/features/delivery/components/BookHeader';
import { fileQuery } from '@/features/delivery/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { usesFree } from '@/lib/format';
import { saveFile } from '@/lib/saveFile';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ErrorState } from '@/ui/State';

export const loader = ({ params: { id = '' } }: LoaderFunctionArgs) =>
  settleBeforeFirstRender(queryClient.query(fileQuery(id)), queryClient.query(accountQuery()));

/** /download-pdf/{id}/{title}: downloads on load, unless that uses a free summary; a refusal redirects to /try (delivery.download-page). */
export function Component() {
  // The title in the URL is for readability only: the page shows the book's own.
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(fileQuery(id));
  const { data: user, isPending } = useQuery(accountQuery());
  // The book whose download was confirmed to use a free summary: here, or on the previous page.
  const { state } = useLocation() as { state: { takes?: number } | null };
  const [asked, setAsked] = useState<number | null>(state?.takes ?? null);
  if (isNotFound(error)) return <BookNotFound />;
  const paid = user?.isPaid ?? false;
  // A plan unlocks every text, so a member with a plan who can't download it: the text does not exist yet.
  const unwritten = data !== undefined && (data.book.comingSoon || (paid && !data.canDownload));
  if (data && !unwritten && !isPending) {
    return data.takesOne && asked !== data.book.id ? (
      <AskFirst book={data.book} onDownload={() => setAsked(data.book.id)} />
    ) : (
      <Download key={data.book.id} book={data.book} paid={paid} />
    );
  }
  return (
    <div className="page page--narrow">
      <Title />
      {data && unwritten ? (
        <ComingSoon book={data.book} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <FileSkeleton label="Loading" />
      )}
    </div>
  );
}

function Title({ children = 'Your PDF' }: { children?: string }) {
  useTitle(ROUTES.downloadPdf.title);
  return <h1 className="page__title">{children}</h1>;
}

/**
 * Whether a retry can help, so that the error is shown here. Without a response the server has refused nothing,
 * and a member with a plan gets the file once the server can send it, so the plans page would not help them.
 */
const canRetry = (failure: unknown, paid: boolean): boolean =>
  !(failure instanceof ApiError) || failure.status === 0 || (paid && (failure.status >= 500 || failure.status === 429));

/** A picture of the file: a sheet with the book's cover. */
function Sheet({ book, busy = false, done = false }: { book: BookCard; busy?: boolean; done?: boolean }) {
  return (
    <span className={`file__sheet${busy ? ' file__sheet--busy' : ''}`} aria-hidden="true">
      {book.image ? <img className="file__cover" src={book.image} alt="" width={88} height={132} /> : null}
      <span className="file__mark">
        <Icon name={done ? 'check' : 'download'} />
      </span>
    </span>
  );
}

/** The file uses one of the member's free summaries: the download waits for a confirmation. */
function AskFirst({ book, onDownload }: { book: BookCard; onDownload: () => void }) {
  const { data } = useQuery(allowanceQuery());
  const left = data?.allowance?.left;
  return (
    <div className="page page--narrow file">
      <Sheet book={book} />
      <Title>{book.title}</Title>
      <p className="page__lead">The PDF uses one of your free summaries, just as reading does. From then on, you can read the summary whenever you like.</p>
      <div className="file__actions">
        <Button kind="primary" onClick={onDownload}>
          {left ? `Download · ${usesFree({ left })}` : 'Download · uses 1 free'}
        </Button>
        <LinkButton kind="quiet" to={paths.book(book.subid)}>
          Back to the summary
        </LinkButton>
      </div>
    </div>
  );
}

function Download({ book, paid }: { book: BookCard; paid: boolean }) {
  const id = book.subid;
  const navigate = useNavigate();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callFile('GET /api/books/download-pdf/{id}', { path: { id } }),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  // Passed with each call, not with the mutation: it runs only while this page is open.
  const download = useCallback(() => {
    const here = window.location.pathname;
    mutate(undefined, {
      onError: (failure) => {
        // The URL changes before this page unmounts: a member who has left the page is not redirected.
        if (!canRetry(failure, paid) && window.location.pathname === here) void navigate(paths.try, { replace: true, state: { target: paths.book(id) } });
      },
    });
  }, [mutate, navigate, paid, id]);
  // React mounts twice in development; the download starts once.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    download();
  }, [download]);

  return (
    <div className="page page--narrow file">
      <Sheet book={book} busy={isPending} done={isSuccess} />
      <Title>{book.title}</Title>
      <p className="page__lead" role="status">
        {isSuccess ? 'Your PDF is in your downloads.' : error ? 'The PDF did not download.' : 'Your PDF is being prepared. The download starts automatically.'}
      </p>
      {error ? <Alert kind="warning">{messageOf(error)}</Alert> : null}
      <div className="file__actions">
        {isSuccess || error ? <Button onClick={download}>{error ? 'Try again' : 'Download again'}</Button> : null}
        <LinkButton kind="quiet" to={paths.book(id)}>
          Back to the summary
        </LinkButton>
      </div>
    </div>
  );
}
