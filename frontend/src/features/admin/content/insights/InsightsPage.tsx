import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { dateAddedColumn, idColumn, linkColumn, nameColumn } from '@/features/admin/content/lists';
import { insightsQuery } from '@/features/admin/content/queries';
import type { InsightRow } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(insightsQuery()));

const titleOf = ({ title }: InsightRow) => title;
const COLUMNS: readonly Column<InsightRow>[] = [
  idColumn(),
  nameColumn('title', 'Title', ({ id }) => paths.adminInsightEdit(id), titleOf),
  dateAddedColumn(true),
  linkColumn('Edit', ({ id }) => paths.adminInsightEdit(id), titleOf),
];

/** /admin/insights: the insights of the day, newest first. */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminInsights.title}
      query={insightsQuery()}
      columns={COLUMNS}
      deletes="insight"
      nameOf={titleOf}
      valueOf={({ id, title, createDate }, by) => (by === 'id' ? id : by === 'createDate' ? createDate : title)}
      sort={{ by: 'createDate', descending: true }}
      add={{ label: ROUTES.adminInsightAdd.title, to: paths.adminInsightAdd }}
      hint="Members see a new one each day on their home page."
    />
  );
}
