import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { deleteColumn } from '@/features/admin/components/deleteColumn';
import { deletionKey } from '@/features/admin/components/deletions';
import { usePendingDeletions } from '@/features/admin/components/pendingDeletions';
import { linkColumn } from '@/features/admin/content/lists';
import { UNUSED, authorsQuery, namesFilter } from '@/features/admin/content/names/queries';
import type { Author } from '@/features/admin/content/names/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { Link } from 'react-router';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

export const loader = ({ request }: LoaderFunctionArgs) =>
  forStaff(() => queryClient.infiniteQuery(authorsQuery(namesFilter(new URL(request.url).searchParams))));

const nameOf = ({ name }: Author) => name;
const COLUMNS: readonly Column<Author>[] = [
  { id: 'id', header: 'Id', cell: ({ id }) => id, align: 'end', fit: true },
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link className="data-table__title" to={paths.adminAuthorEdit(id)}>
        {name}
      </Link>
    ),
  },
  { id: 'slug', header: 'Address', cell: ({ slug }) => <span className="data-table__faint">{slug}</span>, wide: true },
  { id: 'books', header: 'Books', cell: ({ bookCount }) => bookCount, align: 'end', fit: true },
  { id: 'readable', header: 'Published', cell: ({ readableCount }) => readableCount, align: 'end', fit: true, wide: true },
  linkColumn('Edit', ({ id }) => paths.adminAuthorEdit(id), nameOf),
  // An author with books can't be deleted, only merged.
  deleteColumn('author', nameOf, ({ bookCount }) => bookCount === 0),
];

/** /admin/authors: sorted by the names used in the directory. */
export function Component() {
  useTitle(ROUTES.adminAuthors.title);
  const [search] = useSearchParams();
  const filter = namesFilter(search);
  const pages = useInfiniteQuery(authorsQuery(filter));
  const deleting = usePendingDeletions();
  return (
    <ListPage
      title={ROUTES.adminAuthors.title}
      total={pages.data?.pages.at(-1)}
      add={{ label: ROUTES.adminAuthorAdd.title, to: paths.adminAuthorAdd }}
      tools={
        <>
          <ListSearch label="Search authors" />
          <UrlSelect label="Books" name="unused" all="All authors" options={UNUSED} />
        </>
      }
    >
      <PagedTable
        caption={ROUTES.adminAuthors.title}
        pages={pages}
        rowsOf={(page) => page.authors.filter(({ id }) => !deleting.has(deletionKey('author', id)))}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={nameOf}
        empty={
          Object.keys(filter).length > 0 ? (
            <EmptyState title="No authors found." />
          ) : (
            <EmptyState title="No authors yet">
              <p>Authors are added with their first book, or here.</p>
            </EmptyState>
          )
        }
      />
    </ListPage>
  );
}
