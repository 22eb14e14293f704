// The pictures of texts (catalogue.text-pictures).
import type { ResultOf } from '@/api/types';
import { upload } from '@/api/upload';
import { VECTOR, uploadFailure } from '@/features/admin/components/UploadPage';
import type { PictureUpload } from '@/ui/records/PictureDialog';

/** Stores the pictures of texts on the server. */
export const TEXT_PICTURES: PictureUpload = {
  accept: VECTOR.accept,
  limits: 'JPEG, PNG or WebP, up to 20 MB, or SVG up to 2 MB with letters as outlines',
  upload: async (file, signal) => (await upload('/api/admin/pictures', { file, onProgress: () => undefined, signal })) as ResultOf<'POST /api/admin/pictures'>,
  failureText: uploadFailure,
};
