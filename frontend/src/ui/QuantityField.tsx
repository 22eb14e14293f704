import { useId } from 'react';
import { IconButton } from '@/ui/IconButton';

interface Props {
  label: string;
  /** The text in the field. */
  value: string;
  min: number;
  max: number;
  error: string | null;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** A number that can be typed or changed with step buttons. */
export function QuantityField({ label, value, min, max, error, onChange, onBlur }: Props) {
  const id = useId();
  const number = Number.parseInt(value, 10) || 0;
  const step = (by: number) => onChange(String(Math.min(max, Math.max(min, number + by))));
  return (
    <div className="quantity">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <div className="quantity__control">
        <IconButton icon="minus" label="One fewer" aria-disabled={number <= min || undefined} onClick={() => step(-1)} />
        <input
          id={id}
          className="input quantity__input tabular"
          name="quantity"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
          onBlur={onBlur}
          aria-describedby={`${id}-hint${error === null ? '' : ` ${id}-error`}`}
          aria-invalid={error !== null || undefined}
        />
        <IconButton icon="plus" label="One more" aria-disabled={number >= max || undefined} onClick={() => step(1)} />
      </div>
      <p className="field__hint" id={`${id}-hint`}>{`${min} to ${max}`}</p>
      {error === null ? null : (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
