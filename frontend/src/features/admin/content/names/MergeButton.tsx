import { useState } from 'react';
import { useNavigate } from 'react-router';
import { MergeDialog } from '@/features/admin/content/names/MergeDialog';
import { readAgain } from '@/features/admin/paged';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

interface Props {
  kind: 'author' | 'tag';
  row: { id: number; name: string; bookCount: number };
  /** Merges the row into the one with the id `into`; resolves with the remaining row's name. */
  merge: (into: number) => Promise<string>;
  /** The path of the row that remains. */
  pathOf: (into: number) => string;
}

/** Opens the dialog that merges two rows, then navigates to the one that remains. */
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
