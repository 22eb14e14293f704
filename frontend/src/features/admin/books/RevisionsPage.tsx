import { useMutation, useQuery } from '@tanstack/react-query';
import { diffWordsWithSpace } from 'diff';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { fieldsOf, valuesOf } from '@/features/admin/books/bookFields';
import { bookQuery, cacheBook, choicesQuery, revisionQuery, revisionsQuery } from '@/features/admin/books/queries';
import type { BookDetail, Revision } from '@/features/admin/books/queries';
import { plainText } from '@/ui/records/plainText';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { forStaff } from '@/features/admin/queries';
import { fieldName } from '@/features/admin/words';
import { formatMoment, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';
import { describeValue, differences } from '@/ui/records/fields';
import { toast } from '@/ui/toast';

export const loader = ({ params }: LoaderFunctionArgs) =>
  forStaff(() => Promise.all([queryClient.query(bookQuery(params['bookId'] ?? '')), queryClient.query(revisionsQuery(params['bookId'] ?? ''))]));

/** /admin/book-revisions/{bookId}: every saved version of a book, its differences, and a button to restore it. */
export function Component() {
  const { bookId = '' } = useParams();
  const [search] = useSearchParams();
  const book = useQuery(bookQuery(bookId));
  const revisions = useQuery(revisionsQuery(bookId));
  const title = `Revisions of ${book.data?.title ?? 'a book'}`;
  useTitle(title);
  const open = search.get('revision');
  const error = book.error ?? revisions.error;
  const columns: readonly Column<Revision>[] = [
    { id: 'version', header: 'Version', cell: ({ version }) => version, align: 'end', fit: true },
    {
      id: 'at',
      header: 'Saved',
      cell: ({ id, at }) => (
        <RevisionLink id={id} open={open === String(id)}>
          {formatMoment(at)}
        </RevisionLink>
      ),
      fit: true,
    },
    { id: 'by', header: 'By', cell: ({ by }) => by ?? 'the server' },
    { id: 'changed', header: 'Changed', cell: ({ changed }) => changed.map(fieldName).join(', '), wide: true },
    { id: 'words', header: 'Words', cell: ({ words }) => words, align: 'end', fit: true },
  ];
  return (
    <>
      <BackLink to={paths.adminBookEdit(bookId)}>{book.data?.title ?? 'The book'}</BackLink>
      <h1 className="page__title">{title}</h1>
      {book.data && revisions.data ? (
        <>
          {revisions.data.length === 0 ? <EmptyState title="Not changed yet" /> : null}
          {revisions.data.length > 0 ? (
            <DataTable caption={title} columns={columns} rows={revisions.data} keyOf={({ id }) => String(id)} nameOf={({ at }) => formatMoment(at)} />
          ) : null}
          {open === null ? null : <Comparison key={open} book={book.data} id={open} />}
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

function RevisionLink({ id, open, children }: { id: number; open: boolean; children: string }) {
  const [, setSearch] = useSearchParams();
  return (
    <button type="button" className="link" aria-expanded={open} onClick={() => setSearch(open ? {} : { revision: String(id) }, { replace: true })}>
      {children}
    </button>
  );
}

/** Compares a revision with the current book, field by field, with a button to restore it. */
function Comparison({ book, id }: { book: BookDetail; id: string }) {
  const bookId = String(book.id);
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(revisionQuery(bookId, id));
  const { data: choices } = useQuery(choicesQuery());
  const restore = useMutation({
    mutationFn: () => call('POST /api/admin/books/{bookId}/revisions/{id}/restore', { path: { bookId, id }, body: { version: book.version } }),
    onSuccess: ({ book: restored }) => {
      cacheBook(restored);
      toast('The revision was restored.');
      void navigate(paths.adminBookEdit(book.id));
    },
  });
  if (!data && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsSkeleton label="Loading the revision" />;
  const fields = fieldsOf(choices ?? { categories: [], goals: [] }, true);
  const [then, now] = [valuesOf(data.book), valuesOf(book)];
  const changed = fields.filter(({ id: field }) => differences(fields, then, now).includes(field));
  return (
    <section className="admin__panel" aria-labelledby="comparison">
      <h2 className="admin__panel-title" id="comparison">
        {changed.length === 0 ? 'Same as the current version' : `${plural(changed.length, 'difference')} from the current version`}
      </h2>
      {restore.isError ? <Alert kind="warning">{messageOf(restore.error)}</Alert> : null}
      {changed.map((field) => (
        <div key={field.id}>
          <h3>{field.label}</h3>
          <p className="diff">
            {diffWordsWithSpace(plainText(describeValue(field, then[field.id])), plainText(describeValue(field, now[field.id]))).map(
              ({ value, added, removed }, index) =>
                added ? <ins key={index}>{value}</ins> : removed ? <del key={index}>{value}</del> : <span key={index}>{value}</span>,
            )}
          </p>
        </div>
      ))}
      <p className="admin__note">Struck-out text was in this version; underlined text has been added since.</p>
      {changed.length === 0 ? null : (
        <Button kind="primary" busy={restore.isPending} busyText="Restoring" onClick={() => restore.mutate()}>
          Restore this version
        </Button>
      )}
    </section>
  );
}
