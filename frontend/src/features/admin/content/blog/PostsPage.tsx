import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { dateAddedColumn, idColumn, linkColumn, publicationColumn, publishedNameColumn } from '@/features/admin/content/lists';
import { postsQuery } from '@/features/admin/content/queries';
import type { Post } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(postsQuery()));

const titleOf = ({ title }: Post) => title;
const COLUMNS: readonly Column<Post>[] = [
  idColumn(),
  publishedNameColumn(({ id }) => paths.adminPostEdit(id), titleOf),
  { id: 'categories', header: 'Categories', cell: ({ categories }) => <span className="data-table__faint">{categories.join(', ')}</span>, wide: true },
  publicationColumn(),
  dateAddedColumn(false),
  linkColumn('Edit', ({ id }) => paths.adminPostEdit(id), titleOf),
  linkColumn('Photo', ({ id }) => paths.adminPostPhoto(id), titleOf),
];

/** /admin/blog-list: newest first. */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminPosts.title}
      query={postsQuery()}
      columns={COLUMNS}
      deletes="post"
      nameOf={titleOf}
      valueOf={({ id, title, createDate }, by) => (by === 'id' ? id : by === 'createDate' ? createDate : title)}
      sort={{ by: 'createDate', descending: true }}
      add={{ label: ROUTES.adminPostAdd.title, to: paths.adminPostAdd }}
      hint="A post is on the site as soon as it is published."
    />
  );
}
