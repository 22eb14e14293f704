import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { idColumn, linkColumn, nameColumn } from '@/features/admin/content/lists';
import { collectionsQuery } from '@/features/admin/content/queries';
import type { Collection } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { isoDate } from '@/lib/format';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(collectionsQuery()));

const titleOf = ({ title }: Collection) => title;
const COLUMNS: readonly Column<Collection>[] = [
  idColumn(),
  nameColumn('title', 'Title', ({ id }) => paths.adminCollectionEdit(id), titleOf),
  { id: 'subtitle', header: 'Subtitle', cell: ({ subtitle }) => subtitle, wide: true },
  { id: 'uploadDate', header: 'Date', cell: ({ uploadDate }) => isoDate(uploadDate), sortable: true, fit: true, wide: true },
  linkColumn('Edit', ({ id }) => paths.adminCollectionEdit(id), titleOf),
];

/** /admin/collections: sorted by title; other orders can be chosen (admin.sort-orders). */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminCollections.title}
      query={collectionsQuery()}
      columns={COLUMNS}
      deletes="collection"
      nameOf={titleOf}
      valueOf={({ id, title, uploadDate }, by) => (by === 'id' ? id : by === 'uploadDate' ? uploadDate : title)}
      sort={{ by: 'title', descending: false }}
      add={{ label: ROUTES.adminCollectionAdd.title, to: paths.adminCollectionAdd }}
      failure="Error loading collections."
      hint="A shelf with a title, made up of selected books or whole categories."
    />
  );
}
