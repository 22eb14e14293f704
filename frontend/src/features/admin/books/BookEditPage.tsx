import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { BookForm } from '@/features/admin/books/BookForm';
import { changeOf, loadedOf } from '@/features/admin/books/bookFields';
import { BOOK_FILES } from '@/features/admin/books/files';
import { bookQuery, cacheBook, choicesQuery } from '@/features/admin/books/queries';
import type { BookDetail } from '@/features/admin/books/queries';
import { DeleteButton } from '@/features/admin/components/DeleteButton';
import { FileLinks } from '@/features/admin/components/FileLinks';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { forStaff } from '@/features/admin/queries';
import { formatMoment, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';

export const loader = ({ params }: LoaderFunctionArgs) =>
  forStaff(() => Promise.all([queryClient.query(bookQuery(params['bookId'] ?? '')), queryClient.query(choicesQuery())]));

/** /admin/book-edit/{bookId} */
export function Component() {
  const { bookId = '' } = useParams();
  const book = useQuery(bookQuery(bookId));
  const choices = useQuery(choicesQuery());
  const error = book.error ?? choices.error;
  const title = book.data?.title ?? 'Book';
  useTitle(title);
  return (
    <>
      <BackLink to={paths.adminBooks}>Books</BackLink>
      <h1 className="page__title">{title}</h1>
      {book.data && choices.data ? (
        <div className="admin__split">
          <div>
            <p className="admin__lead">{lastChange(book.data)}</p>
            <BookForm
              key={bookId}
              book={bookId}
              choices={choices.data}
              loaded={loadedOf(book.data)}
              submitLabel="Update book"
              submit={async (values, version) => {
                const { book: saved } = await call('PUT /api/admin/books/{bookId}', { path: { bookId }, body: changeOf(values, version) });
                cacheBook(saved);
                return { message: 'Book was updated.', loaded: loadedOf(saved) };
              }}
              reload={async () => loadedOf(await queryClient.query({ ...bookQuery(bookId), staleTime: 0 }))}
            />
          </div>
          <aside className="admin__aside">
            <Side book={book.data} />
            <DeleteButton kind="book" id={book.data.id} name={title} back={paths.adminBooks} />
          </aside>
        </div>
      ) : error ? (
        <PageError
          error={error}
          back={{ to: paths.adminBooks, label: 'Books', what: 'There is no book with this id.' }}
          onRetry={() => {
            void book.refetch();
            void choices.refetch();
          }}
        />
      ) : (
        <RowsSkeleton label="Loading the book" />
      )}
    </>
  );
}

const lastChange = ({ updatedAt, updatedBy, words, sections }: BookDetail) =>
  `${plural(words, 'word')} in ${plural(sections.length, 'section')} · saved ${formatMoment(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`;

function Side({ book }: { book: BookDetail }) {
  return (
    <>
      <section className="admin__panel" aria-labelledby="book-pages">
        <h2 className="admin__panel-title" id="book-pages">
          This book
        </h2>
        <div className="admin__buttons">
          {book.published || book.comingSoon ? (
            <Link className="button button--secondary" to={paths.book(book.subid)}>
              See it on the site
            </Link>
          ) : null}
          <Link className="button button--secondary" to={paths.adminBookRevisions(book.id)}>
            Revisions
          </Link>
        </div>
      </section>
      <FileLinks files={BOOK_FILES.map(({ kind, to, urlOf }) => ({ label: kind.label, to: to(book.id), there: urlOf(book) !== null }))} />
    </>
  );
}
