import type { ComponentProps } from 'react';
import { Icon } from '@/ui/Icon';

type CheckCardProps = { label: string; image?: string | null; hue?: string } & Omit<ComponentProps<'input'>, 'type' | 'className'>;

/** A check box as a card with a small picture. `hue` is a class of `hueClass()`. */
export function CheckCard({ label, image, hue, ...rest }: CheckCardProps) {
  return (
    <label className={`check-card ${hue ?? ''}`}>
      <input {...rest} type="checkbox" className="check-card__input" />
      {image ? <img className="check-card__image" src={image} alt="" width="44" height="44" loading="lazy" /> : null}
      <span className="check-card__label">{label}</span>
      <span className="check-card__tick" aria-hidden="true">
        <Icon name="check" />
      </span>
    </label>
  );
}

type SwitchProps = { label: string } & Omit<ComponentProps<'input'>, 'type' | 'className'>;

export function Checkbox({ label, ...rest }: SwitchProps) {
  return (
    <label className="switch">
      <input {...rest} type="checkbox" className="switch__input" />
      {label}
    </label>
  );
}
