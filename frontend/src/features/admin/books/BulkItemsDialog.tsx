import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeCategories, changeTags } from '@/features/admin/books/bulk';
import type { BulkAction, Direction } from '@/features/admin/books/bulk';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { targetsQuery } from '@/features/admin/content/names/queries';
import { plural } from '@/lib/format';
import { useDebounced } from '@/lib/useDebounced';
import { Segmented } from '@/ui/Segmented';
import { Picker } from '@/ui/records/Picker';
import type { Option } from '@/ui/records/fields';

interface Props {
  kind: 'categories' | 'tags';
  /** The number of books. */
  count: number;
  categories: readonly Option[];
  onClose: () => void;
  onChosen: (action: BulkAction) => void;
}

const DIRECTIONS: readonly { value: Direction; label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
];

/** Chooses categories or tags that are added to several books, or removed from them. */
export function BulkItemsDialog({ kind, count, categories, onClose, onChosen }: Props) {
  const [direction, setDirection] = useState<Direction>('add');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isMissing, setMissing] = useState(false);
  const [query, setQuery] = useState('');
  const { data: tags = [] } = useQuery({ ...targetsQuery('tag', useDebounced(query.trim())), enabled: kind === 'tags' });
  const isTags = kind === 'tags';
  const label = isTags ? 'Tags' : 'Categories';
  return (
    <ActionDialog
      title={`${label} of ${plural(count, 'book')}`}
      button={direction === 'add' ? `Add to ${plural(count, 'book')}` : `Remove from ${plural(count, 'book')}`}
      onClose={onClose}
      submit={() => {
        setMissing(chosen.length === 0);
        if (chosen.length > 0) onChosen(isTags ? changeTags(chosen, direction) : changeCategories(chosen.map(Number), direction));
        return Promise.resolve();
      }}
    >
      <Segmented legend="What to do" name="direction" options={DIRECTIONS} value={direction} onChange={setDirection} />
      <Picker
        label={label}
        error={isMissing ? `Please specify ${label}.` : null}
        hint={!isTags && direction === 'remove' ? 'Every book keeps at least one category: a book that has only these is left unchanged.' : null}
        required
        multiple
        creatable={isTags && direction === 'add'}
        options={isTags ? tags.map(({ name }) => ({ value: name, label: name })) : categories}
        value={chosen}
        {...(isTags && { onQuery: setQuery })}
        onChange={(next) => {
          setChosen(next);
          setMissing(false);
        }}
      />
    </ActionDialog>
  );
}
