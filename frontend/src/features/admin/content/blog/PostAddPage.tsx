import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { PUBLICATION_CONTROLS } from '@/features/admin/components/publication';
import { TextPreview } from '@/features/admin/content/TextPreview';
import { richTextWithPictures } from '@/features/admin/content/controls';
import { NEW_POST, postCategories, postFields, postForm } from '@/features/admin/content/forms';
import { POST_PICTURES } from '@/features/admin/content/blog/files';
import { changed, postsQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';

export const loader = () => forStaff(() => queryClient.query(postsQuery()));

/** /admin/blog-add */
export function Component() {
  const { data: posts = [] } = useQuery(postsQuery());
  return (
    <AddRecord
      title={ROUTES.adminPostAdd.title}
      back={{ to: paths.adminPosts, label: ROUTES.adminPosts.title }}
      fields={postFields(postCategories(posts))}
      controls={{ text: richTextWithPictures, ...PUBLICATION_CONTROLS }}
      values={NEW_POST}
      pictures={POST_PICTURES}
      onUploaded={() => changed('posts')}
      preview={(values, onClose) => <TextPreview kind="post" text="text" values={values} onClose={onClose} />}
      submitLabel="Add post"
      add={async (values) => {
        const { post } = await call('POST /api/admin/blog', { body: postForm(values, null) });
        changed('posts');
        return {
          record: post,
          message: (
            <>
              The post has been added. <Link to={paths.adminPostEdit(post.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
