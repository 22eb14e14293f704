import { useMemo } from 'react';
import { COLORS, COLOR_NAMES } from '@/shared/study/colors';
import type { StudyRecord } from '@/shared/study/studyStorage';
import type { Highlight } from '@/shared/study/records';
import { tagKey } from '@/shared/study/records';
import { RecordSearch } from '@/features/study/components/RecordSearch';
import { STATES, sourceChoices, tagChoices } from '@/features/study/highlights/filterHighlights';
import type { Choice, FilterName, HighlightFilters } from '@/features/study/highlights/filterHighlights';
import { formatNumber } from '@/lib/format';
import { SelectField } from '@/ui/Field';

interface Props {
  /** All highlights: the filters offer their books and tags. */
  all: readonly StudyRecord<Highlight>[];
  filters: HighlightFilters;
  /** An empty value removes the filter. */
  onChange: (name: FilterName, value: string) => void;
}

/** The search and the filters, which stand in the URL (study.highlights-page). */
export function HighlightFilters({ all, filters, onChange }: Props) {
  const books = useMemo(() => sourceChoices(all), [all]);
  const tags = useMemo(() => tagChoices(all), [all]);
  const select = (name: FilterName, label: string, choices: readonly Omit<Choice, 'count'>[], value: string | null) => (
    <SelectField label={label} value={value ?? ''} onChange={({ target }) => onChange(name, target.value)}>
      <option value="">All</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
      {/* A filter of a shared link, or of the last highlight that had it. */}
      {value !== null && !choices.some((choice) => choice.value === value) ? <option value={value}>{value}</option> : null}
    </SelectField>
  );
  return (
    <search className="highlights__filters">
      <RecordSearch label="Search your highlights" value={filters.q} onSearch={(q) => onChange('q', q)} />
      <div className="highlights__selects">
        {select('book', 'Book', books.map(counted), filters.book)}
        {select('tag', 'Tag', tags.map(counted), filters.tag === null ? null : tagKey(filters.tag))}
        {select(
          'color',
          'Color',
          COLORS.map((color) => ({ value: color, label: COLOR_NAMES[color] })),
          filters.color,
        )}
        {select(
          'state',
          'State',
          Object.entries(STATES).map(([value, label]) => ({ value, label })),
          filters.state,
        )}
      </div>
    </search>
  );
}

const counted = ({ value, label, count }: Choice) => ({ value, label: `${label} (${formatNumber(count)})` });
