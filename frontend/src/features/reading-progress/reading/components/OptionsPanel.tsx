import type { Book } from '@/api/types';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { chunkOf, useChunk } from '@/ui/chunk';

const optionsChunk = chunkOf(() => import(/* webpackChunkName: "reader-options" */ '@/features/reading-progress/reading/components/BookOptions'), {
  BookOptions: ChunkLoadError,
});

interface Props {
  open: boolean;
  onClose: () => void;
  book: Book;
  id: string;
  /** The reading member's id; null for a visitor. */
  member: number | null;
}

/** Display options and actions of the book: a panel on the right. Its content is loaded once the text is shown, so that it opens at once. */
export function OptionsPanel({ open, onClose, ...rest }: Props) {
  const chunk = useChunk(optionsChunk, true, Number(open));
  return (
    <Dialog open={open} onClose={onClose} title="Options" side="right">
      {chunk ? <chunk.BookOptions {...rest} /> : <DialogSkeleton />}
    </Dialog>
  );
}
