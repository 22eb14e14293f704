interface Props<V extends string> {
  /** Announced before the options. */
  legend: string;
  name: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
}

/** A segmented control: radio buttons, so that the arrow keys work. */
export function Segmented<V extends string>({ legend, name, options, value, onChange }: Props<V>) {
  return (
    <fieldset>
      <legend className="visually-hidden">{legend}</legend>
      <div className="segment">
        {options.map((option) => (
          <label key={option.value} className="segment__option">
            <input
              type="radio"
              className="segment__input"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
