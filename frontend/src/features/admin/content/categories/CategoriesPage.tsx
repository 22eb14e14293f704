import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { countColumn, idColumn, linkColumn, nameColumn, pictureColumn } from '@/features/admin/content/lists';
import { categoriesQuery } from '@/features/admin/content/queries';
import type { Category } from '@/features/admin/content/queries';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { hueClass } from '@/lib/hue';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(categoriesQuery()));

const nameOf = ({ name }: Category) => name;
const COLUMNS: readonly Column<Category>[] = [
  idColumn(),
  nameColumn('name', 'Name', ({ id }) => paths.adminCategoryEdit(id), nameOf),
  { id: 'subid', header: 'Address', cell: ({ subid }) => <span className="data-table__faint">{subid}</span>, wide: true },
  { id: 'hue', header: 'Hue', cell: ({ hue }) => <span className={`hue-dot ${hueClass(hue)}`}>{hue}</span>, fit: true },
  pictureColumn('Picture', ({ small_image }) => small_image),
  countColumn(),
  linkColumn('Edit', ({ id }) => paths.adminCategoryEdit(id), nameOf),
];

/** /admin/categories: in the order in which members see them. */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminCategories.title}
      query={categoriesQuery()}
      columns={COLUMNS}
      deletes="category"
      nameOf={nameOf}
      valueOf={({ id, name, bookCount }, by) => (by === 'id' ? id : by === 'bookCount' ? bookCount : name)}
      add={{ label: ROUTES.adminCategoryAdd.title, to: paths.adminCategoryAdd }}
      order={(ids) => call('PUT /api/admin/categories/order', { body: { ids: [...ids] } }).finally(() => readAgain('categories'))}
      hint="Every book is in at least one category."
    />
  );
}
