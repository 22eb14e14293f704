import { remove } from '@/features/admin/components/deletions';
import type { Deletable } from '@/features/admin/components/deletions';
import { Button } from '@/ui/Button';
import type { Column } from '@/ui/records/DataTable';

/** The column with a delete button per row. The page's heading gets the focus of the removed button. */
export const deleteColumn = <Row extends { id: number }>(
  kind: Deletable,
  nameOf: (row: Row) => string,
  may: (row: Row) => boolean = () => true,
): Column<Row> => ({
  id: 'delete',
  header: 'Delete',
  cell: (row) =>
    may(row) ? (
      <Button
        kind="quiet"
        className="data-table__delete"
        aria-label={`Delete ${nameOf(row)}`}
        onClick={() => {
          remove(kind, row.id, nameOf(row));
          document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
        }}
      >
        Delete
      </Button>
    ) : null,
  fit: true,
  actions: true,
});
