interface Props {
  /** Above the options, as their question. */
  legend: string;
  name: string;
  options: readonly { value: string; label: string }[];
}

/** One of some answers, each on a line of its own; none is chosen before. */
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
