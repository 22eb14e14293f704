// The files of a book, and the pages that upload them.
import { call } from '@/api/client';
import type { BookDetail } from '@/features/admin/books/queries';
import { INFOGRAPHIC, MEDIA, PHOTO, PODCAST, VECTOR, VIDEO } from '@/features/admin/components/UploadPage';
import type { UploadKind } from '@/features/admin/components/UploadPage';
import { paths } from '@/features/admin/paths';

interface BookFile {
  kind: UploadKind;
  /** The last part of the page's path, `/admin/book-<name>/{id}`, and of the API path. */
  name: string;
  to: (id: number | string) => string;
  urlOf: (book: BookDetail) => string | null;
  /** For files that can be removed again: the notice, and the call. */
  removal?: { text: string; remove: (id: string) => Promise<unknown> };
}

export const BOOK_FILES: readonly BookFile[] = [
  { kind: PHOTO, name: 'photo', to: paths.adminBookPhoto, urlOf: ({ image }) => image },
  { kind: VECTOR, name: 'vector', to: paths.adminBookVector, urlOf: ({ vector }) => vector },
  {
    kind: INFOGRAPHIC,
    name: 'infographic',
    to: paths.adminBookInfographic,
    urlOf: ({ infographicUrl }) => infographicUrl,
    removal: {
      text: 'If there is an infographic drawn from the key ideas, readers see that one instead.',
      remove: (id) => call('DELETE /api/admin/books/infographic/{id}', { path: { id } }),
    },
  },
  { kind: MEDIA, name: 'media', to: paths.adminBookMedia, urlOf: ({ mediaUrl }) => mediaUrl },
  { kind: PODCAST, name: 'podcast', to: paths.adminBookPodcast, urlOf: ({ podcastUrl }) => podcastUrl },
  { kind: VIDEO, name: 'video', to: paths.adminBookVideo, urlOf: ({ video }) => video },
];
