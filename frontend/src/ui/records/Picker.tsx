import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from '@/ui/Icon';
import type { Option } from '@/ui/records/fields';

/** How many options are shown at once. */
const SHOWN = 50;

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  name?: string;
  /** The options. With `onQuery`, the results of the query. */
  options: readonly Option[];
  /** The selected values, in order. */
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  /** False: a new choice replaces the previous one. */
  multiple?: boolean;
  required?: boolean;
  /** Called with the typed text, for a search on the server. Without it the options are filtered here. */
  onQuery?: (query: string) => void;
  /** The options are those of an earlier query. They stay, so that none vanishes under the pointer, but Enter waits for the new ones. */
  isWaiting?: boolean;
  /** The labels of selected values that are not among the options. */
  labels?: Readonly<Record<string, string>>;
  placeholder?: string;
  /** Text that matches no option may be selected too. */
  creatable?: boolean;
}

/** Selects one or several of many options by typing: the combobox pattern with a list box; selected values are shown as chips before the input. */
export function Picker({
  label,
  hint,
  error,
  name,
  options,
  value,
  onChange,
  multiple = false,
  required = false,
  onQuery,
  isWaiting = false,
  labels = {},
  placeholder,
  creatable = false,
}: Props) {
  const id = useId();
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const labelOf = (one: string) => options.find((option) => option.value === one)?.label ?? labels[one] ?? one;
  const wanted = query.trim().toLowerCase();
  const free = multiple ? options.filter((option) => !value.includes(option.value)) : options;
  const found = (onQuery || wanted === '' ? free : free.filter((option) => option.label.toLowerCase().includes(wanted))).slice(0, SHOWN);
  if (creatable && wanted !== '' && ![...options.map(({ label: one }) => one), ...value].some((one) => one.toLowerCase() === wanted))
    found.push({ value: query.trim(), label: query.trim() });
  const at = Math.min(active, Math.max(found.length - 1, 0));
  const shown = open && found.length > 0;

  const search = (text: string) => {
    setQuery(text);
    setActive(0);
    setOpen(true);
    onQuery?.(text);
  };
  const choose = (one: string) => {
    onChange(multiple ? [...value, one] : [one]);
    setQuery('');
    onQuery?.('');
    setOpen(multiple);
    setActive(0);
  };
  const remove = (one: string) => {
    onChange(value.filter((other) => other !== one));
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!shown) setOpen(true);
      else setActive((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
    } else if (event.key === 'Enter' && shown && chosen) {
      if (!isWaiting) choose(chosen.value);
    } else if (event.key === 'Escape' && shown) {
      setOpen(false);
      event.stopPropagation();
    } else if (event.key === 'Backspace' && query === '' && value.length > 0) onChange(value.slice(0, -1));
    else return;
    event.preventDefault();
  };

  const describedBy = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ');
  return (
    <div className="field picker">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <div className="picker__control">
        {value.map((one) => (
          <span key={one} className="picker__chip">
            {labelOf(one)}
            <button type="button" className="picker__remove" aria-label={`Remove ${labelOf(one)}`} onClick={() => remove(one)}>
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          name={name}
          className="picker__input"
          role="combobox"
          autoComplete="off"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown ? `${id}-${at}` : undefined}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          placeholder={value.length === 0 ? placeholder : undefined}
          value={query}
          onChange={({ target }) => search(target.value)}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} className="picker__list" role="listbox" aria-label={label} aria-multiselectable={multiple || undefined} hidden={!shown}>
        {found.map((option, index) => (
          <div
            key={option.value}
            id={`${id}-${index}`}
            className="picker__option"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // The input keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(option.value);
            }}
          >
            {option.label}
          </div>
        ))}
      </div>
      {hint ? (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
