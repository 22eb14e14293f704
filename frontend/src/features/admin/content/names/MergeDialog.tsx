import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { targetsQuery } from '@/features/admin/content/names/queries';
import { plural } from '@/lib/format';
import { useDebounced } from '@/lib/useDebounced';
import { Picker } from '@/ui/records/Picker';

interface Props {
  kind: 'author' | 'tag';
  /** The row that is merged into another one and removed. */
  row: { id: number; name: string; bookCount: number };
  onClose: () => void;
  /** Merges the row into the one with the id `into`. */
  merge: (into: number) => Promise<void>;
}

/** Asks which author or tag to merge this one into. */
export function MergeDialog({ kind, row, onClose, merge }: Props) {
  const [query, setQuery] = useState('');
  const [into, setInto] = useState<{ value: string; label: string } | null>(null);
  const [missing, setMissing] = useState(false);
  const { data: found = [] } = useQuery(targetsQuery(kind, useDebounced(query.trim())));
  const options = found
    .filter(({ id }) => id !== row.id)
    .map(({ id, name, bookCount }) => ({ value: String(id), label: `${name} (${plural(bookCount, 'book')})` }));
  return (
    <ActionDialog
      title={`Merge ${row.name}`}
      button={`Merge into this ${kind}`}
      busyText="Merging"
      kind="harm"
      onClose={onClose}
      submit={async () => {
        setMissing(!into);
        if (into) await merge(Number(into.value));
      }}
    >
      <p>
        {row.bookCount === 0 ? `No book has this ${kind}.` : `${plural(row.bookCount, 'book')} will be moved.`} Then “{row.name}” is removed, and its address
        stops working. This can’t be undone.
      </p>
      <Picker
        label={kind === 'author' ? 'Same author as' : 'Same tag as'}
        error={missing ? `Please specify the ${kind} to keep.` : null}
        required
        options={options}
        labels={into ? { [into.value]: into.label } : {}}
        value={into ? [into.value] : []}
        placeholder="Name or id"
        onQuery={setQuery}
        onChange={([chosen]) => {
          setInto(options.find(({ value }) => value === chosen) ?? null);
          setMissing(false);
        }}
      />
    </ActionDialog>
  );
}
