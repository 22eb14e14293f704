import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bookChoicesQuery } from '@/features/admin/content/queries';
import type { Collection } from '@/features/admin/content/queries';
import { useDebounced } from '@/lib/useDebounced';
import { Picker } from '@/ui/records/Picker';
import type { CustomControl } from '@/ui/records/RecordForm';
import { SortableList } from '@/ui/SortableList';
import type { FieldDef, Option } from '@/ui/records/fields';

type Chosen = Collection['books'][number];

const NONE: readonly Chosen[] = [];

const optionOf = ({ id, title, author }: Chosen): Option => ({ value: String(id), label: `${title} by ${author}` });

/** The books whose titles this form knows: those in each loaded version of the collection, and those chosen in the form. */
export function useKnownBooks(books: readonly Chosen[] = NONE): [known: readonly Option[], add: (book: Option) => void] {
  const [known, setKnown] = useState<readonly Option[]>([]);
  const isNew = ({ value }: Option) => !known.some((one) => one.value === value);
  const unknown = books.map(optionOf).filter(isNew);
  // A version saved by another editor may lack a book that is chosen in this form, so no title is removed.
  if (unknown.length > 0) setKnown([...known, ...unknown]);
  return [known, (book) => setKnown((before) => [...before, book])];
}

/** The books of a collection: added by search, reordered by dragging or with the keyboard. Their titles come from the field's options. */
export const chosenBooks =
  (onAdd: (book: Option) => void): CustomControl =>
  ({ field, value, error, onChange }) => (
    <ChosenBooks field={field} ids={Array.isArray(value) ? (value as readonly string[]) : []} error={error} onAdd={onAdd} onChange={onChange} />
  );

interface Props {
  field: FieldDef;
  ids: readonly string[];
  error: string | null;
  onAdd: (book: Option) => void;
  onChange: (ids: readonly string[]) => void;
}

function ChosenBooks({ field, ids, error, onAdd, onChange }: Props) {
  const [query, setQuery] = useState('');
  const q = useDebounced(query.trim());
  const { data: found = [], isPlaceholderData } = useQuery({ ...bookChoicesQuery(q), placeholderData: keepPreviousData });
  const options = found.map(optionOf).filter(({ value }) => !ids.includes(value));
  const known = field.options ?? [];
  // Those of a restored draft were chosen in a form before this one.
  const unknown = ids.filter((id) => !known.some(({ value }) => value === id));
  const restored = useQueries({ queries: unknown.map((id) => bookChoicesQuery(id)) }).flatMap(({ data = [] }) => data.map(optionOf));
  const nameOf = (id: string) => [...known, ...restored].find(({ value }) => value === id)?.label ?? `Book ${id}`;
  return (
    <div className="chosen-books">
      <Picker
        label={field.label}
        hint={field.helpText}
        name={field.id}
        error={error}
        options={options}
        value={[]}
        placeholder="Add a book: title, author or id"
        onQuery={setQuery}
        isWaiting={isPlaceholderData || q !== query.trim()}
        onChange={([id]) => {
          const option = options.find((one) => one.value === id);
          if (!option) return;
          onAdd(option);
          onChange([...ids, option.value]);
        }}
      />
      {ids.length > 0 ? (
        <SortableList
          label="Chosen books in their order"
          items={ids}
          keyOf={(id) => id}
          nameOf={nameOf}
          onChange={onChange}
          onRemove={(id) => onChange(ids.filter((other) => other !== id))}
        />
      ) : null}
    </div>
  );
}
