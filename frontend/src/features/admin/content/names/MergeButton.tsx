import { useState } from 'react';
import { useNavigate } from 'react-router';
import { MergeDialog } from '@/features/admin/content/names/MergeDialog';
import { readAgain } from '@/features/admin/paged';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

interface Props {
  kind: 'author' | 'tag';
  row: { id: number; name: string; bookCount: number };
  /** Merges it into the one of this id, and gives its name. */
  merge: (into: number) => Promise<string>;
  /** The page of the one that stays. */
  pathOf: (into: number) => string;
}

/** Opens the dialog that makes two rows one, and goes to the one that stays. */
export function MergeButton({ kind, row, merge, pathOf }: Props) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => setOpen(true)}>{`Merge with another ${kind}`}</Button>
      {open ? (
        <MergeDialog
          kind={kind}
          row={row}
          onClose={() => setOpen(false)}
          merge={async (into) => {
            const name = await merge(into);
            setOpen(false);
            toast(`“${row.name}” was merged into “${name}”.`);
            await navigate(pathOf(into), { replace: true });
            void readAgain(`${kind}s`, 'books');
          }}
        />
      ) : null}
    </>
  );
}
