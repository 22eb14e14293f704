// Custom form controls beyond those of the field types.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TEXT_PICTURES } from '@/features/admin/components/textPictures';
import { bookChoicesQuery } from '@/features/admin/content/queries';
import { hueClass } from '@/lib/hue';
import { useDebounced } from '@/lib/useDebounced';
import { LazyRichText } from '@/ui/records/LazyRichText';
import { Picker } from '@/ui/records/Picker';
import type { PictureUpload } from '@/ui/records/PictureDialog';
import type { CustomControl } from '@/ui/records/RecordForm';
import { FieldControl } from '@/ui/records/FieldControl';
import type { FieldDef } from '@/ui/records/fields';

const labelOf = ({ label, required = false }: FieldDef) => (required ? `${label}*` : label);

/** A text with headings, lists and links, and pictures where `pictures` stores them. */
const richTextWith =
  (pictures: { pictures?: PictureUpload }): CustomControl =>
  ({ field, value, error, onChange }) => (
    <LazyRichText label={labelOf(field)} name={field.id} value={typeof value === 'string' ? value : ''} error={error} short onChange={onChange} {...pictures} />
  );

/** A text with headings, lists and links. */
export const richText = richTextWith({});

/** The same with pictures. */
export const richTextWithPictures = richTextWith({ pictures: TEXT_PICTURES });

/** A hue in degrees, with a color sample. */
export const hueControl: CustomControl = ({ field, value, values, error, onChange }) => (
  <div className="hue-field">
    <FieldControl field={field} values={values} error={error} onChange={onChange} />
    <span className={`hue-field__swatch ${hueClass(Number(value) || 0)}`} aria-hidden="true" />
  </div>
);

/** The book that an insight is from, stored as its slug: found by typing part of its title. */
export const bookControl: CustomControl = ({ field, value, error, onChange }) => (
  <BookPicker field={field} value={typeof value === 'string' ? value : ''} error={error} onChange={onChange} />
);

function BookPicker({ field, value, error, onChange }: { field: FieldDef; value: string; error: string | null; onChange: (value: string) => void }) {
  const [query, setQuery] = useState('');
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const q = useDebounced(query.trim());
  const { data: books = [], isPlaceholderData } = useQuery({ ...bookChoicesQuery(q), placeholderData: keepPreviousData });
  const options = books.map(({ subid, title }) => ({ value: subid, label: title }));
  return (
    <Picker
      label={labelOf(field)}
      name={field.id}
      error={error}
      required={field.required ?? false}
      options={options}
      labels={labels}
      value={value === '' ? [] : [value]}
      placeholder="Title, author or id"
      creatable
      onQuery={setQuery}
      isWaiting={isPlaceholderData || q !== query.trim()}
      onChange={([chosen = '']) => {
        setLabels(Object.fromEntries(options.filter((option) => option.value === chosen).map((option) => [option.value, option.label])));
        onChange(chosen);
      }}
    />
  );
}
