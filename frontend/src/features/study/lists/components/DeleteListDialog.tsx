import type { ReadingList } from '@/shared/study/lists/list';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

interface Props {
  list: ReadingList;
  onClose: () => void;
  onDelete: () => void;
}

/** Asks before a list is deleted that others see. */
export function DeleteListDialog({ list: { sharing, teamListId }, onClose, onDelete }: Props) {
  return (
    <Dialog open onClose={onClose} title="Delete this list?">
      {sharing === 'private' ? null : <p>Its link ends, and the members who follow it lose it. If you undo it, the list is private.</p>}
      {teamListId === null ? null : <p>Your team no longer sees it. If you undo it, please give it to your team again.</p>}
      <p className="list-dialog__actions">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="harm" onClick={onDelete}>
          Delete the list
        </Button>
      </p>
    </Dialog>
  );
}
