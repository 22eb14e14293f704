// The files of an episode, and the pages that upload them.
import { MEDIA, PHOTO } from '@/features/admin/components/UploadPage';
import type { Podcast } from '@/features/admin/content/queries';
import type { Picture } from '@/features/admin/components/pictures';
import { paths } from '@/features/admin/paths';

export const PODCAST_FILES = [
  { kind: MEDIA, call: 'media', to: paths.adminPodcastMedia, urlOf: ({ mediaUrl }: Podcast) => mediaUrl },
  { kind: PHOTO, call: 'photo', to: paths.adminPodcastPhoto, urlOf: ({ image }: Podcast) => image },
] as const;

/** The picture, as a field of an episode's form. */
export const PODCAST_PICTURES: readonly Picture<Podcast>[] = [
  { id: 'photo', kind: PHOTO, urlOf: ({ image }) => image, path: ({ id }) => `/api/admin/podcasts/photo/${id}` },
];
