import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { BookForm } from '@/features/admin/books/BookForm';
import { NEW_BOOK, changeOf } from '@/features/admin/books/bookFields';
import { cacheBook, choicesQuery } from '@/features/admin/books/queries';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';

export const loader = () => forStaff(() => queryClient.query(choicesQuery()));

/** /admin/book-add: after saving, only the success message is shown. */
export function Component() {
  useTitle(ROUTES.adminBookAdd.title);
  const { data: choices, error, refetch } = useQuery(choicesQuery());
  return (
    <>
      <BackLink to={paths.adminBooks}>Books</BackLink>
      <h1 className="page__title">Add book</h1>
      {choices ? (
        <div className="admin__single">
          <BookForm
            book="new"
            choices={choices}
            loaded={{ values: NEW_BOOK, version: null, by: null }}
            submitLabel="Add book"
            submit={async (values) => {
              const { book } = await call('POST /api/admin/books', { body: changeOf(values, null) });
              cacheBook(book);
              return {
                message: (
                  <>
                    Book was added. <Link to={paths.adminBookEdit(book.id)}>Edit it</Link>
                  </>
                ),
              };
            }}
          />
        </div>
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading" />
      )}
    </>
  );
}
