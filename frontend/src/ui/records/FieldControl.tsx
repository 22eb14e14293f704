import { useId } from 'react';
import { Checkbox } from '@/ui/Check';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import { Picker } from '@/ui/records/Picker';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, FieldValue, Values } from '@/ui/records/fields';

interface Props {
  field: FieldDef;
  values: Values;
  error: string | null;
  onChange: (value: FieldValue) => void;
}

/** The form control for a field's type. */
export function FieldControl({ field, values, error, onChange }: Props) {
  const { id, type, options = [], helpText, required = false, inputType } = field;
  const label = required ? `${field.label}*` : field.label;
  const common = { label, name: id, error, hint: helpText };
  switch (type) {
    case 'hidden':
      return <input type="hidden" name={id} value={textOf(values, id)} />;
    case 'readonly':
      return <ReadOnly label={field.label} text={textOf(values, id)} />;
    case 'switch':
      return <Checkbox label={field.label} name={id} checked={values[id] === true} onChange={({ target }) => onChange(target.checked)} />;
    case 'textarea':
      return <TextArea {...common} rows={field.rows ?? 4} required={required} value={textOf(values, id)} onChange={({ target }) => onChange(target.value)} />;
    case 'normal-select':
      return (
        <SelectField {...common} required={required} value={textOf(values, id)} onChange={({ target }) => onChange(target.value)}>
          {options.some(({ value }) => value === '') ? null : <option value="">Choose…</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </SelectField>
      );
    case 'select':
      return (
        <Picker
          {...common}
          required={required}
          options={options}
          value={textOf(values, id) === '' ? [] : [textOf(values, id)]}
          onChange={(chosen) => onChange(chosen.at(-1) ?? '')}
        />
      );
    case 'multi-select':
      return (
        <Picker
          {...common}
          required={required}
          multiple
          creatable={field.creatable ?? false}
          options={options}
          value={(values[id] as readonly string[] | undefined) ?? []}
          onChange={onChange}
        />
      );
    case 'file':
      return <TextField {...common} type="file" accept={field.accept} onChange={({ target }) => onChange(target.files?.[0] ?? null)} />;
    case 'date':
      return <TextField {...common} type="date" required={required} value={textOf(values, id)} onChange={({ target }) => onChange(target.value)} />;
    case 'datetime':
      return <TextField {...common} type="datetime-local" required={required} value={textOf(values, id)} onChange={({ target }) => onChange(target.value)} />;
    case 'text': {
      // Numbers are typed as text: a number input hides invalid input.
      const kind = inputType === 'number' ? ({ type: 'text', inputMode: 'decimal' } as const) : ({ type: inputType ?? 'text' } as const);
      return <TextField {...common} {...kind} required={required} value={textOf(values, id)} onChange={({ target }) => onChange(target.value)} />;
    }
  }
}

function ReadOnly({ label, text }: { label: string; text: string }) {
  const id = useId();
  return (
    <div className="field">
      <span className="field__label" id={id}>
        {label}
      </span>
      <output className="record-form__readonly" aria-labelledby={id}>
        {text || '–'}
      </output>
    </div>
  );
}
