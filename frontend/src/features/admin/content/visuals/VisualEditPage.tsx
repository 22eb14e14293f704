import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { FileLinks } from '@/features/admin/components/FileLinks';
import { PHOTO } from '@/features/admin/components/UploadPage';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { bookControl } from '@/features/admin/content/controls';
import { loadedVisual, visualFields, visualForm } from '@/features/admin/content/forms';
import { changed, visualQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(visualQuery(params['id'] ?? '')));

/** /admin/visuals-update/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={(visual) => visual?.title ?? 'Visual'}
      back={{ to: paths.adminVisuals, label: ROUTES.adminVisuals.title }}
      missing="There is no visual with this id."
      query={visualQuery(id)}
      fields={visualFields(true)}
      controls={{ bookId: bookControl }}
      loadedOf={loadedVisual}
      save={async (values, version) => {
        const { visual } = await call('PUT /api/admin/visuals/{id}', { path: { id }, body: visualForm(values, version) });
        changed('visuals');
        return visual;
      }}
      success="Visuals was edited."
      submitLabel="Edit visual"
      deletes={(visual) => ({ kind: 'visual', id: visual.id })}
      aside={(visual) => (
        <>
          <FileLinks files={[{ label: PHOTO.label, to: paths.adminVisualPhoto(visual.id), there: visual.image !== null }]} />
          <RowFacts title="This visual" row={visual} facts={[['Book', visual.bookTitle]]} site={paths.visualsOf(visual.bookSubid)} />
        </>
      )}
    />
  );
}
