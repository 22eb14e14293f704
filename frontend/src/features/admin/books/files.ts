// The files of a book, and the pages that upload them.
import { call } from '@/api/client';
import type { BookDetail } from '@/features/admin/books/queries';
import { INFOGRAPHIC, MEDIA, PHOTO, PODCAST, VECTOR, VIDEO } from '@/features/admin/components/UploadPage';
import type { UploadKind } from '@/features/admin/components/UploadPage';
import { paths } from '@/features/admin/paths';

interface BookFile {
  kind: UploadKind;
  /** The end of the page's path, `/admin/book-<name>/{id}`, and of the call's. */
  name: string;
  to: (id: number | string) => string;
  urlOf: (book: BookDetail) => string | null;
  /** Where it can be taken away again. */
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
