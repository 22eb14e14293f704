import type { Book } from '@/api/types';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { chunkOf, useChunk } from '@/ui/chunk';

const optionsChunk = chunkOf(() => import(/* webpackChunkName: "reader-options" */ '@/features/reading-progress/reading/components/BookOptions'), {
  BookOptions: ChunkLoadError,
});

/** Display options and actions of the book: a panel on the right. Its content is loaded once the text is shown, so that it opens at once. */
export function OptionsPanel({ open, onClose, book, id }: { open: boolean; onClose: () => void; book: Book; id: string }) {
  const chunk = useChunk(optionsChunk, true, Number(open));
  return (
    <Dialog open={open} onClose={onClose} title="Options" side="right" className="reader-panel">
      {chunk ? <chunk.BookOptions book={book} id={id} /> : <DialogSkeleton />}
    </Dialog>
  );
}
