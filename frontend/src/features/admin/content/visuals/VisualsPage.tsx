import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { idColumn, linkColumn, nameColumn } from '@/features/admin/content/lists';
import { visualsQuery } from '@/features/admin/content/queries';
import type { Visual } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { IconButton } from '@/ui/IconButton';
import type { Column } from '@/ui/records/DataTable';
import { toast } from '@/ui/toast';

export const loader = () => forStaff(() => queryClient.query(visualsQuery()));

const titleOf = ({ title }: Visual) => title;

/** The ids of a book's visuals with one of them moved by one position; null when it is already at that end. */
export function movedBy(step: -1 | 1, { id, bookId }: Visual, all: readonly Visual[]): number[] | null {
  const ids = all.filter((one) => one.bookId === bookId).map((one) => one.id);
  const at = ids.indexOf(id);
  const other = ids[at + step];
  if (other === undefined) return null;
  ids[at] = other;
  ids[at + step] = id;
  return ids;
}

/** The key of a button that moves a visual. */
const moveOf = (id: number, step: -1 | 1): string => `${id}:${step}`;

const columns = (all: readonly Visual[], busy: boolean, order: (bookId: number, ids: number[], move: string) => void): readonly Column<Visual>[] => [
  idColumn('ID'),
  {
    id: 'bookId',
    header: 'Book ID',
    cell: ({ bookId, bookTitle }) => <span title={bookTitle}>{bookId}</span>,
    sortable: true,
    align: 'end',
    fit: true,
    wide: true,
  },
  nameColumn('title', 'Title', ({ id }) => paths.adminVisualEdit(id), titleOf),
  { id: 'book', header: 'Book', cell: ({ bookTitle }) => <span className="data-table__faint">{bookTitle}</span>, wide: true },
  {
    id: 'order',
    header: 'Order',
    cell: (visual) => (
      <span className="row-order">
        {([-1, 1] as const).map((step) => {
          const ids = movedBy(step, visual, all);
          return (
            <IconButton
              key={step}
              icon={step < 0 ? 'chevronUp' : 'chevronDown'}
              label={`Move ${visual.title} ${step < 0 ? 'up' : 'down'}`}
              data-move={moveOf(visual.id, step)}
              // Not `disabled`: the pressed button keeps the focus while its move is saved.
              aria-disabled={ids === null || busy || undefined}
              onClick={() => {
                if (ids && !busy) order(visual.bookId, ids, moveOf(visual.id, step));
              }}
            />
          );
        })}
      </span>
    ),
    fit: true,
    actions: true,
  },
  linkColumn('Edit', ({ id }) => paths.adminVisualEdit(id), titleOf),
  linkColumn('Photo', ({ id }) => paths.adminVisualPhoto(id), titleOf),
];

/** /admin/visuals: grouped by book, in the order in which readers see them. */
export function Component() {
  const { data: all = [] } = useQuery(visualsQuery());
  const [busy, setBusy] = useState(false);
  /** The button of the last move. Always a new object, so that the effect below runs for each move. */
  const [moved, setMoved] = useState<{ move: string } | null>(null);
  // The browser removes the focus from a row that is moved in the DOM.
  useEffect(() => {
    if (moved && document.activeElement === document.body) document.querySelector<HTMLElement>(`[data-move="${moved.move}"]`)?.focus();
  }, [moved]);
  const order = async (bookId: number, visuals: number[], move: string) => {
    setBusy(true);
    try {
      // Refetches after a refused order too: another editor has added or deleted a visual.
      await call('PUT /api/admin/visuals/order', { body: { bookId, visuals } }).finally(() =>
        queryClient.invalidateQueries({ queryKey: visualsQuery().queryKey }),
      );
      setMoved({ move });
    } catch (error) {
      toast(`The order was not changed. ${messageOf(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <WholeList
      title={ROUTES.adminVisuals.title}
      query={visualsQuery()}
      columns={columns(all, busy, (bookId, ids, move) => void order(bookId, ids, move))}
      deletes="visual"
      nameOf={titleOf}
      valueOf={({ id, title, bookId }, by) => (by === 'id' ? id : by === 'bookId' ? bookId : title)}
      add={{ label: ROUTES.adminVisualAdd.title, to: paths.adminVisualAdd }}
      hint="A visual is a book’s key idea with a picture. Readers see it once it has a photo."
    />
  );
}
