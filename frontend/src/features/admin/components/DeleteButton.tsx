import { useNavigate } from 'react-router';
import { remove } from '@/features/admin/components/deletions';
import type { Deletable } from '@/features/admin/components/deletions';
import { Button } from '@/ui/Button';

interface Props {
  kind: Deletable;
  id: number;
  name: string;
  /** The path of the list, where the deletion can be undone. */
  back: string;
}

/** Deletes this page's record, and navigates to its list. */
export function DeleteButton({ kind, id, name, back }: Props) {
  const navigate = useNavigate();
  return (
    <Button
      kind="harm"
      onClick={() => {
        remove(kind, id, name);
        void navigate(back);
      }}
    >
      {`Delete this ${kind}`}
    </Button>
  );
}
