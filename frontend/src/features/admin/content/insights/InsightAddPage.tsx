import { Link } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { bookControl } from '@/features/admin/content/controls';
import { INSIGHT_FIELDS, NEW_INSIGHT, insightForm } from '@/features/admin/content/forms';
import { changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';

const CONTROLS = { bookId: bookControl };

/** /admin/insight-add */
export function Component() {
  return (
    <AddRecord
      title={ROUTES.adminInsightAdd.title}
      back={{ to: paths.adminInsights, label: ROUTES.adminInsights.title }}
      fields={INSIGHT_FIELDS}
      controls={CONTROLS}
      values={NEW_INSIGHT}
      submitLabel="Add insight"
      add={async (values) => {
        const { insight } = await call('POST /api/admin/insight', { body: insightForm(values, null) });
        changed('insights');
        return {
          message: (
            <>
              Insight was added. <Link to={paths.adminInsightEdit(insight.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
