import { Link } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { NEW_GOAL, goalFields, goalForm } from '@/features/admin/content/forms';
import { GOAL_PICTURES } from '@/features/admin/content/goals/files';
import { changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';

/** /admin/goal-add */
export function Component() {
  return (
    <AddRecord
      title={ROUTES.adminGoalAdd.title}
      back={{ to: paths.adminGoals, label: ROUTES.adminGoals.title }}
      fields={goalFields(false)}
      values={NEW_GOAL}
      pictures={GOAL_PICTURES}
      onUploaded={() => changed('goals')}
      submitLabel="Add goal"
      add={async (values) => {
        const { goal } = await call('POST /api/admin/goals', { body: goalForm(values, null) });
        changed('goals');
        return {
          record: goal,
          message: (
            <>
              Goal was added. <Link to={paths.adminGoalEdit(goal.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
