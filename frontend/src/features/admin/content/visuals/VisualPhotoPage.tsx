import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { PHOTO, UploadPage } from '@/features/admin/components/UploadPage';
import { changed, visualQuery } from '@/features/admin/content/queries';
import { paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { NotFound } from '@/ui/NotFound';

const isId = (id: string): boolean => Number(id) > 0;

export const loader = ({ params }: LoaderFunctionArgs) =>
  forStaff(async () => (isId(params['id'] ?? '') ? queryClient.query(visualQuery(params['id'] ?? '')) : null));

/** /admin/visuals-photo/{id}: uploads only when the id is greater than 0 (catalogue.visual-fields). */
export function Component() {
  const { id = '' } = useParams();
  if (!isId(id)) return <NotFound />;
  return (
    <UploadPage
      kind={PHOTO}
      back={{ to: paths.adminVisualEdit(id), label: 'The visual' }}
      missing="There is no visual with this id."
      query={visualQuery(id)}
      titleOf={({ title }) => title}
      fileOf={({ image }) => image}
      path={`/api/admin/visuals/photo/${id}`}
      onUploaded={() => changed('visuals')}
    />
  );
}
