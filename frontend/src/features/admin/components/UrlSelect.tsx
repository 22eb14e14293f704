import { useFilterParams } from '@/lib/useFilterParams';
import { SelectField } from '@/ui/Field';

interface Props {
  label: string;
  /** The name of the query parameter. */
  name: string;
  /** The label of the option without a filter. */
  all: string;
  options: readonly { value: string; label: string }[];
}

/** A list's filter, stored in the URL. */
export function UrlSelect({ label, name, all, options }: Props) {
  const [search, change] = useFilterParams();
  const value = search.get(name) ?? '';
  return (
    <SelectField
      label={label}
      value={options.some((option) => option.value === value) ? value : ''}
      onChange={({ target: { value: chosen } }) =>
        change((next) => {
          if (chosen) next.set(name, chosen);
          else next.delete(name);
        })
      }
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
}
