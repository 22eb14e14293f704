import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '@/api/errors';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SortableList } from '@/ui/SortableList';
import { useUnsavedGuard } from '@/ui/records/useUnsavedGuard';
import { toast } from '@/ui/toast';

interface Props<Row> {
  /** 'Goals'. */
  label: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  save: (ids: readonly number[]) => Promise<unknown>;
  onDone: () => void;
}

/** Changes the order of all rows of a list. */
export function OrderForm<Row extends { id: number }>({ label, rows, nameOf, save, onDone }: Props<Row>) {
  const [order, setOrder] = useState(rows);
  const isChanged = order.some(({ id }, at) => id !== rows[at]?.id);
  const change = useMutation({
    mutationFn: () => save(order.map(({ id }) => id)),
    onSuccess: () => {
      toast('The order was saved.');
      onDone();
    },
  });
  const guard = useUnsavedGuard(() => isChanged && !change.isSuccess);
  return (
    <div className="admin__order">
      {guard}
      {change.error ? <Alert kind="warning">{messageOf(change.error)}</Alert> : null}
      <p className="admin__lead">Drag a row by its handle, or move it with the arrow keys. Members see this order.</p>
      <SortableList label={`${label} in their order`} items={order} keyOf={({ id }) => String(id)} nameOf={nameOf} onChange={setOrder} />
      <div className="admin__buttons">
        <Button kind="primary" busy={change.isPending} busyText="Saving" onClick={() => (isChanged ? change.mutate() : onDone())}>
          Save the order
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </div>
  );
}
