import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { FileLinks } from '@/features/admin/components/FileLinks';
import { PHOTO } from '@/features/admin/components/UploadPage';
import { PUBLICATION_CONTROLS } from '@/features/admin/components/publication';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { TextPreview } from '@/features/admin/content/TextPreview';
import { richTextWithPictures } from '@/features/admin/content/controls';
import { loadedPost, postCategories, postFields, postForm } from '@/features/admin/content/forms';
import { POST_PICTURES } from '@/features/admin/content/blog/files';
import { changed, postQuery, postsQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { isoDate } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) =>
  forStaff(() => Promise.all([queryClient.query(postQuery(params['postId'] ?? '')), queryClient.query(postsQuery())]));

/** /admin/blog-edit/{postId} */
export function Component() {
  const { postId = '' } = useParams();
  const { data: posts = [] } = useQuery(postsQuery());
  return (
    <EditRecord
      title={(post) => post?.title ?? 'Post'}
      back={{ to: paths.adminPosts, label: ROUTES.adminPosts.title }}
      missing="There is no post with this id."
      query={postQuery(postId)}
      fields={postFields(postCategories(posts))}
      controls={{ text: richTextWithPictures, ...PUBLICATION_CONTROLS }}
      loadedOf={loadedPost}
      save={async (values, version) => {
        const { post } = await call('PUT /api/admin/blog', { body: { id: Number(postId), ...postForm(values, version) } });
        changed('posts');
        return post;
      }}
      success="The post has been updated."
      pictures={POST_PICTURES}
      onUploaded={() => changed('posts')}
      preview={(values, onClose) => <TextPreview kind="post" text="text" values={values} onClose={onClose} />}
      submitLabel="Update post"
      deletes={(post) => ({ kind: 'post', id: post.id })}
      aside={(post) => (
        <>
          <FileLinks files={[{ label: PHOTO.label, to: paths.adminPostPhoto(post.id), there: post.photo !== null }]} />
          <RowFacts
            title="This post"
            row={post}
            facts={[['Added', isoDate(post.createDate)]]}
            {...(post.published && { site: paths.post(post.slug) })}
            revisions={paths.adminPostRevisions(post.id)}
          />
        </>
      )}
    />
  );
}
