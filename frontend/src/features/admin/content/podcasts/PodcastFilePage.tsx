import { useLocation, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { UploadPage } from '@/features/admin/components/UploadPage';
import { PODCAST_FILES } from '@/features/admin/content/podcasts/files';
import { changed, podcastQuery } from '@/features/admin/content/queries';
import { paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { NotFound } from '@/ui/NotFound';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(podcastQuery(params['id'] ?? '')));

/** /admin/podcast-media/{id} and /admin/podcast-photo/{id} */
export function Component() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const file = PODCAST_FILES.find(({ to }) => to(id) === pathname);
  if (!file) return <NotFound />;
  return (
    <UploadPage
      key={file.call}
      kind={file.kind}
      back={{ to: paths.adminPodcastEdit(id), label: 'The podcast' }}
      missing="There is no podcast with this id."
      query={podcastQuery(id)}
      titleOf={({ title }) => title}
      fileOf={file.urlOf}
      path={`/api/admin/podcasts/${file.call}/${id}`}
      onUploaded={() => changed('podcasts')}
    />
  );
}
