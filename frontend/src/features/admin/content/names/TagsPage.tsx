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
import { UNUSED, tagsQuery, namesFilter } from '@/features/admin/content/names/queries';
import type { Tag } from '@/features/admin/content/names/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { Link } from 'react-router';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

export const loader = ({ request }: LoaderFunctionArgs) => forStaff(() => queryClient.infiniteQuery(tagsQuery(namesFilter(new URL(request.url).searchParams))));

const nameOf = ({ name }: Tag) => name;
const COLUMNS: readonly Column<Tag>[] = [
  { id: 'id', header: 'Id', cell: ({ id }) => id, align: 'end', fit: true },
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link className="data-table__title" to={paths.adminTagEdit(id)}>
        {name}
      </Link>
    ),
  },
  { id: 'slug', header: 'Address', cell: ({ slug }) => <span className="data-table__faint">{slug}</span>, wide: true },
  { id: 'books', header: 'Books', cell: ({ bookCount }) => bookCount, align: 'end', fit: true },
  linkColumn('Edit', ({ id }) => paths.adminTagEdit(id), nameOf),
  deleteColumn('tag', nameOf),
];

/** /admin/tags: with the number of books of each tag. */
export function Component() {
  useTitle(ROUTES.adminTags.title);
  const [search] = useSearchParams();
  const filter = namesFilter(search);
  const pages = useInfiniteQuery(tagsQuery(filter));
  const deleting = usePendingDeletions();
  return (
    <ListPage
      title={ROUTES.adminTags.title}
      total={pages.data?.pages.at(-1)}
      tools={
        <>
          <ListSearch label="Search tags" />
          <UrlSelect label="Books" name="unused" all="All tags" options={UNUSED} />
        </>
      }
    >
      <PagedTable
        caption={ROUTES.adminTags.title}
        pages={pages}
        rowsOf={(page) => page.tags.filter(({ id }) => !deleting.has(deletionKey('tag', id)))}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={nameOf}
        empty={
          Object.keys(filter).length > 0 ? (
            <EmptyState title="No tags found." />
          ) : (
            <EmptyState title="No tags yet">
              <p>Tags are added when you edit a book.</p>
            </EmptyState>
          )
        }
      />
    </ListPage>
  );
}
