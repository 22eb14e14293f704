import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Option } from '@/ui/records/fields';
import { BulkItemsDialog } from '@/features/admin/books/BulkItemsDialog';
import { changeFields, deleteBooks, runBulk } from '@/features/admin/books/bulk';
import type { BulkAction } from '@/features/admin/books/bulk';
import type { BookRow } from '@/features/admin/books/queries';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { reloadLists } from '@/features/admin/components/deletions';
import { plural } from '@/lib/format';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { toast } from '@/ui/toast';

type DialogName = 'categories' | 'tags' | 'delete';

const CHANGES: readonly { label: string; does: BulkAction | DialogName }[] = [
  { label: 'Publish', does: changeFields({ published: true }) },
  { label: 'Unpublish', does: changeFields({ published: false }) },
  { label: 'Free', does: changeFields({ free: true }) },
  { label: 'Not free', does: changeFields({ free: false }) },
  { label: 'Popular', does: changeFields({ isPopular: true }) },
  { label: 'Not popular', does: changeFields({ isPopular: false }) },
  { label: 'Categories', does: 'categories' },
  { label: 'Tags', does: 'tags' },
  { label: 'Delete', does: 'delete' },
];

/** The breakpoint below which the actions are one list to choose from: as buttons they would cover the rows. */
const NARROW = '(max-width: 55.99rem)';
/** How many of the books are named before they are deleted. */
const NAMED = 5;

interface Props {
  /** The chosen books. */
  books: readonly BookRow[];
  categories: readonly Option[];
  /** Chooses other books, or none. */
  onChoose: (keys: ReadonlySet<string>) => void;
}

/** Changes or deletes the chosen books. Those that could not be changed stay chosen, and are listed with the reasons (admin.bulk-books). */
export function BulkBar({ books, categories, onChoose }: Props) {
  const isNarrow = useMediaQuery(NARROW);
  const [picked, setPicked] = useState(CHANGES[0]?.label ?? '');
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [progress, setProgress] = useState({ at: 0, of: 0 });
  const bulk = useMutation({
    mutationFn: async (action: BulkAction) => {
      const failures = await runBulk(books, action, (at) => setProgress({ at, of: books.length }));
      await reloadLists('book');
      return failures;
    },
    onSuccess: (failures, { done }) => {
      const count = books.length - failures.length;
      if (count > 0) toast(`${plural(count, 'book')} ${done}.`);
      onChoose(new Set(failures.map(({ book }) => String(book.id))));
      // The bar goes, and with it the focus.
      if (failures.length === 0) document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
    },
  });
  const start = (action: BulkAction) => {
    setDialog(null);
    if (!bulk.isPending) bulk.mutate(action);
  };
  const press = (label: string) => {
    const does = CHANGES.find((change) => change.label === label)?.does;
    if (bulk.isPending || does === undefined) return;
    if (typeof does === 'string') setDialog(does);
    else start(does);
  };
  const failures = bulk.data ?? [];
  return (
    <div className="admin__bulk" role="group" aria-label="Change the selected books">
      {failures.length > 0 ? (
        <Alert kind="warning">
          {`${plural(failures.length, 'book')} not ${bulk.variables?.done ?? 'changed'}.`}
          <ul className="admin__bulk-failures">
            {failures.map(({ book, message }) => (
              <li key={book.id}>{`${book.title}: ${message}`}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
      <p className="admin__bulk-count" role="status">
        {bulk.isPending ? `${progress.at} of ${progress.of}` : `${plural(books.length, 'book')} chosen`}
      </p>
      <Button kind="quiet" aria-disabled={bulk.isPending} onClick={() => onChoose(new Set())}>
        Clear selection
      </Button>
      {isNarrow ? (
        <>
          <SelectField label="Change" value={picked} onChange={({ target }) => setPicked(target.value)}>
            {CHANGES.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </SelectField>
          <Button kind="primary" aria-disabled={bulk.isPending} onClick={() => press(picked)}>
            Apply
          </Button>
        </>
      ) : (
        CHANGES.map(({ label, does }) => (
          <Button
            key={label}
            aria-disabled={bulk.isPending}
            {...(typeof does === 'string' && { 'aria-haspopup': 'dialog' as const })}
            {...(does === 'delete' && { kind: 'harm' as const })}
            onClick={() => press(label)}
          >
            {label}
          </Button>
        ))
      )}
      {dialog === 'categories' || dialog === 'tags' ? (
        <BulkItemsDialog kind={dialog} count={books.length} categories={categories} onClose={() => setDialog(null)} onChosen={start} />
      ) : null}
      {dialog === 'delete' ? (
        <ActionDialog
          title={`Delete ${plural(books.length, 'book')}?`}
          button={`Delete ${plural(books.length, 'book')}`}
          kind="harm"
          onClose={() => setDialog(null)}
          submit={() => Promise.resolve(start(deleteBooks))}
        >
          <p>
            Their texts, files and revisions go with them. This can’t be undone. A book that members have opened, saved or bought stays: unpublish it instead.
          </p>
          <ul className="admin__bulk-names">
            {books.slice(0, NAMED).map(({ id, title, author }) => (
              <li key={id}>{`${title} by ${author}`}</li>
            ))}
            {books.length > NAMED ? <li>{`and ${books.length - NAMED} more`}</li> : null}
          </ul>
        </ActionDialog>
      ) : null}
    </div>
  );
}
