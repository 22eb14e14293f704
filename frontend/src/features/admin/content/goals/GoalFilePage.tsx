import { useLocation, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { UploadPage } from '@/features/admin/components/UploadPage';
import { GOAL_FILES } from '@/features/admin/content/goals/files';
import { changed, goalQuery } from '@/features/admin/content/queries';
import { paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { NotFound } from '@/ui/NotFound';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(goalQuery(params['id'] ?? '')));

/** /admin/goals/photo/{id} and /admin/goals/featured-photo/{id} */
export function Component() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const file = GOAL_FILES.find(({ to }) => to(id) === pathname);
  if (!file) return <NotFound />;
  return (
    <UploadPage
      key={file.call}
      kind={file.kind}
      back={{ to: paths.adminGoalEdit(id), label: 'The goal' }}
      missing="There is no goal with this id."
      query={goalQuery(id)}
      titleOf={({ title }) => title}
      fileOf={file.urlOf}
      path={`/api/admin/goals/${file.call}/${id}`}
      onUploaded={() => changed('goals')}
    />
  );
}
