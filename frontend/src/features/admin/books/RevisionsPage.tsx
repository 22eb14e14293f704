import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { fieldsOf, valuesOf } from '@/features/admin/books/bookFields';
import { bookQuery, cacheBook, choicesQuery, revisionQuery, revisionsQuery } from '@/features/admin/books/queries';
import type { BookDetail, Revision } from '@/features/admin/books/queries';
import { PageError } from '@/features/admin/components/PageError';
import { Comparison, RevisionTable, useOpenRevision } from '@/features/admin/components/Revisions';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import type { Column } from '@/ui/records/DataTable';
import { toast } from '@/ui/toast';

export const loader = ({ params }: LoaderFunctionArgs) =>
  forStaff(() => Promise.all([queryClient.query(bookQuery(params['bookId'] ?? '')), queryClient.query(revisionsQuery(params['bookId'] ?? ''))]));

const WORDS: readonly Column<Revision>[] = [{ id: 'words', header: 'Words', cell: ({ words }) => words, align: 'end', fit: true }];

/** /admin/book-revisions/{bookId}: every saved version of a book, its differences, and a button to restore it. */
export function Component() {
  const { bookId = '' } = useParams();
  const open = useOpenRevision();
  const book = useQuery(bookQuery(bookId));
  const revisions = useQuery(revisionsQuery(bookId));
  const title = `Revisions of ${book.data?.title ?? 'a book'}`;
  useTitle(title);
  const error = book.error ?? revisions.error;
  return (
    <>
      <BackLink to={paths.adminBookEdit(bookId)}>{book.data?.title ?? 'The book'}</BackLink>
      <h1 className="page__title">{title}</h1>
      {book.data && revisions.data ? (
        <>
          <RevisionTable title={title} revisions={revisions.data} more={WORDS} />
          {open === null ? null : <BookComparison key={open} book={book.data} id={open} />}
        </>
      ) : error ? (
        <PageError
          error={error}
          back={{ to: paths.adminBooks, label: 'Books', what: 'There is no book with this id.' }}
          onRetry={() => {
            void book.refetch();
            void revisions.refetch();
          }}
        />
      ) : (
        <RowsSkeleton label="Loading the revisions" />
      )}
    </>
  );
}

/** Compares a revision with the current book. */
function BookComparison({ book, id }: { book: BookDetail; id: string }) {
  const bookId = String(book.id);
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(revisionQuery(bookId, id));
  const { data: choices } = useQuery(choicesQuery());
  if (!data && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsSkeleton label="Loading the revision" />;
  return (
    <Comparison
      fields={fieldsOf(choices ?? { categories: [], goals: [] }, true)}
      then={valuesOf(data.book)}
      now={valuesOf(book)}
      restore={async () => {
        const { book: restored } = await call('POST /api/admin/books/{bookId}/revisions/{id}/restore', {
          path: { bookId, id },
          body: { version: book.version },
        });
        cacheBook(restored);
        toast('The revision was restored.');
        void navigate(paths.adminBookEdit(book.id));
      }}
    />
  );
}
