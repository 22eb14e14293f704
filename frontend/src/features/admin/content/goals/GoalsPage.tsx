import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { idColumn, linkColumn, nameColumn } from '@/features/admin/content/lists';
import { goalsQuery } from '@/features/admin/content/queries';
import type { Goal } from '@/features/admin/content/queries';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(goalsQuery()));

const titleOf = ({ title }: Goal) => title;
const COLUMNS: readonly Column<Goal>[] = [
  idColumn(),
  nameColumn('title', 'Title', ({ id }) => paths.adminGoalEdit(id), titleOf),
  { id: 'shortTitle', header: 'Short title', cell: ({ shortTitle }) => shortTitle, wide: true },
  linkColumn('Edit', ({ id }) => paths.adminGoalEdit(id), titleOf),
  linkColumn('Photo', ({ id }) => paths.adminGoalPhoto(id), titleOf),
  linkColumn('Featured photo', ({ id }) => paths.adminGoalFeaturedPhoto(id), titleOf),
];

/** /admin/goals: in the order in which members see them. */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminGoals.title}
      query={goalsQuery()}
      columns={COLUMNS}
      deletes="goal"
      nameOf={titleOf}
      valueOf={({ id, title }, by) => (by === 'id' ? id : title)}
      add={{ label: ROUTES.adminGoalAdd.title, to: paths.adminGoalAdd }}
      order={(ids) => call('PUT /api/admin/goals/order', { body: { ids: [...ids] } }).finally(() => readAgain('goals'))}
      hint="Members choose goals when they start, and books are matched to them."
    />
  );
}
