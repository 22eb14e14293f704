// The sheet of a highlight, in the chunk that the reader loads too. It is loaded with the list, before the first is opened.
import type { HighlightSheet } from '@/shared/study/highlights/HighlightSheet';
import { chunkOf } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';

interface SheetModule {
  HighlightSheet: typeof HighlightSheet;
}

const failed: SheetModule = {
  HighlightSheet: ({ onClose }) => (
    <Dialog open onClose={onClose} title="Highlight" side="right">
      <ChunkLoadError />
    </Dialog>
  ),
};

export const sheetChunk = chunkOf<SheetModule>(() => import(/* webpackChunkName: "highlights" */ '@/shared/study/highlights/HighlightSheet'), failed);
