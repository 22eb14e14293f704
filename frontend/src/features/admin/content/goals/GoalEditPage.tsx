import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { FileLinks } from '@/features/admin/components/FileLinks';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { goalFields, goalForm, loadedGoal } from '@/features/admin/content/forms';
import { GOAL_FILES, GOAL_PICTURES } from '@/features/admin/content/goals/files';
import { changed, goalQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(goalQuery(params['id'] ?? '')));

/** /admin/goal-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={(goal) => goal?.title ?? 'Goal'}
      back={{ to: paths.adminGoals, label: ROUTES.adminGoals.title }}
      missing="There is no goal with this id."
      query={goalQuery(id)}
      fields={goalFields(true)}
      loadedOf={loadedGoal}
      save={async (values, version) => {
        const { goal } = await call('PUT /api/admin/goals/{id}', { path: { id }, body: goalForm(values, version) });
        changed('goals');
        return goal;
      }}
      success="Goal was edited."
      pictures={GOAL_PICTURES}
      onUploaded={() => changed('goals')}
      submitLabel="Edit goal"
      deletes={(goal) => ({ kind: 'goal', id: goal.id })}
      aside={(goal) => (
        <>
          <FileLinks files={GOAL_FILES.map(({ kind, to, urlOf }) => ({ label: kind.label, to: to(goal.id), there: urlOf(goal) !== null }))} />
          <RowFacts title="This goal" row={goal} />
        </>
      )}
    />
  );
}
