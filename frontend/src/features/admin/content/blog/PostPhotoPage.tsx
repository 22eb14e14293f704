import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { PHOTO, UploadPage } from '@/features/admin/components/UploadPage';
import { changed, postQuery } from '@/features/admin/content/queries';
import { paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(postQuery(params['postId'] ?? '')));

/** /admin/blog-photo/{postId} */
export function Component() {
  const { postId = '' } = useParams();
  return (
    <UploadPage
      kind={PHOTO}
      back={{ to: paths.adminPostEdit(postId), label: 'The post' }}
      missing="There is no post with this id."
      query={postQuery(postId)}
      titleOf={({ title }) => title}
      fileOf={({ photo }) => photo}
      path={`/api/admin/blog/photo/${postId}`}
      onUploaded={() => changed('posts')}
    />
  );
}
