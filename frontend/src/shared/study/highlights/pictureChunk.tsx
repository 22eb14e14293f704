// The dialog that shares a highlight as a picture. It is loaded when it is opened.
import type { HighlightPicture } from '@/shared/study/highlights/HighlightPicture';
import { chunkOf } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';

interface PictureModule {
  HighlightPicture: typeof HighlightPicture;
}

const failed: PictureModule = {
  HighlightPicture: ({ onClose }) => (
    <Dialog open onClose={onClose} title="Share as a picture">
      <ChunkLoadError />
    </Dialog>
  ),
};

export const pictureChunk = chunkOf<PictureModule>(
  () => import(/* webpackChunkName: "highlight-picture" */ '@/shared/study/highlights/HighlightPicture'),
  failed,
);
