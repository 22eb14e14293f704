import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { bookControl } from '@/features/admin/content/controls';
import { INSIGHT_FIELDS, insightForm, loadedInsight } from '@/features/admin/content/forms';
import { changed, insightQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { formatMoment } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(insightQuery(params['id'] ?? '')));

const CONTROLS = { bookId: bookControl };

/** /admin/insight-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={`Insight #${id}`}
      back={{ to: paths.adminInsights, label: ROUTES.adminInsights.title }}
      missing="There is no insight with this id."
      query={insightQuery(id)}
      fields={INSIGHT_FIELDS}
      controls={CONTROLS}
      loadedOf={loadedInsight}
      save={async (values, version) => {
        const { insight } = await call('PUT /api/admin/insight', { body: { id: Number(id), ...insightForm(values, version) } });
        changed('insights');
        return insight;
      }}
      success="Insight was updated."
      submitLabel="Update insight"
      deletes={(insight) => ({ kind: 'insight', id: insight.id, name: insight.title })}
      aside={(insight) => (
        <RowFacts
          title="This insight"
          row={insight}
          facts={[['Added', formatMoment(insight.createDate)]]}
          {...(insight.bookId !== null && { site: paths.book(insight.bookId) })}
        />
      )}
    />
  );
}
