// The picture of a post.
import { PHOTO } from '@/features/admin/components/UploadPage';
import type { Picture } from '@/features/admin/components/pictures';
import type { Post } from '@/features/admin/content/queries';

/** The picture, as a field of a post's form. */
export const POST_PICTURES: readonly Picture<Post>[] = [
  { id: 'photo', kind: PHOTO, urlOf: ({ photo }) => photo, path: ({ id }) => `/api/admin/blog/photo/${id}` },
];
