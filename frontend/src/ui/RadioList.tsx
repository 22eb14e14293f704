import { useId } from 'react';

interface Props {
  /** The question above the options. */
  legend: string;
  name: string;
  options: readonly { value: string; label: string; hint?: string }[];
  error?: string | null;
}

/** Radio buttons, each on its own line; none is preselected. */
export function RadioList({ legend, name, options, error = null }: Props) {
  const id = useId();
  return (
    <fieldset className="radio-list">
      <legend className="radio-list__legend">{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <label key={value} className="radio-list__option">
          <input type="radio" className="radio-list__input" name={name} value={value} {...(error !== null && { 'aria-describedby': id })} />
          {hint === undefined ? (
            label
          ) : (
            <span>
              {label}
              <span className="radio-list__hint">{hint}</span>
            </span>
          )}
        </label>
      ))}
      {error === null ? null : (
        <p className="field__error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
