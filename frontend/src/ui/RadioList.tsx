interface Props {
  /** The question above the options. */
  legend: string;
  name: string;
  options: readonly { value: string; label: string }[];
}

/** Radio buttons, each on its own line; none is preselected. */
export function RadioList({ legend, name, options }: Props) {
  return (
    <fieldset className="radio-list">
      <legend className="radio-list__legend">{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value} className="radio-list__option">
          <input type="radio" className="radio-list__input" name={name} value={value} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
