import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { linkColumn, publicationColumn, publishedNameColumn } from '@/features/admin/content/lists';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { pagesQuery } from '@/features/admin/site/queries';
import type { PageRow } from '@/features/admin/site/queries';
import { formatMoment } from '@/lib/format';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(pagesQuery()));

const titleOf = ({ title, path }: PageRow) => title || path;
const editOf = ({ slug }: PageRow) => paths.adminPageEdit(slug);
const COLUMNS: readonly Column<PageRow>[] = [
  publishedNameColumn(editOf, titleOf),
  { id: 'path', header: 'Address', cell: ({ path }) => path, sortable: true, fit: true },
  publicationColumn(),
  {
    id: 'updatedAt',
    header: 'Saved',
    cell: ({ updatedAt }) => (updatedAt === null ? <span className="data-table__faint">Original</span> : formatMoment(updatedAt)),
    sortable: true,
    fit: true,
    wide: true,
  },
  linkColumn('Edit', editOf, titleOf),
];

/** /admin/pages: the site's pages, and the texts of the product pages. */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminPages.title}
      query={pagesQuery()}
      columns={COLUMNS}
      nameOf={titleOf}
      valueOf={({ path, title, updatedAt }, by) => (by === 'path' ? path : by === 'updatedAt' ? updatedAt : title)}
    />
  );
}
