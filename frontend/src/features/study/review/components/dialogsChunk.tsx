// The dialogs that add and edit cards, with the forms. They are loaded with the cards, before the first is opened.
import type { CardDialog, OwnCardDialog } from '@/features/study/review/components/CardDialogs';
import { chunkOf } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';

interface DialogsModule {
  CardDialog: typeof CardDialog;
  OwnCardDialog: typeof OwnCardDialog;
}

const Failed = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Card">
    <ChunkLoadError />
  </Dialog>
);

export const dialogsChunk = chunkOf<DialogsModule>(() => import(/* webpackChunkName: "card-dialogs" */ '@/features/study/review/components/CardDialogs'), {
  CardDialog: Failed,
  OwnCardDialog: Failed,
});
