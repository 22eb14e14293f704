import type { ComponentProps } from 'react';
import { pictureSizes } from '@/lib/pictures';
import { Icon } from '@/ui/Icon';

type CheckCardProps = { label: string; image?: string | null; large?: boolean; hue?: string } & Omit<ComponentProps<'input'>, 'type' | 'className'>;

/** A checkbox as a card with a small or a large picture. `hue` is a class from `hueClass()`. */
export function CheckCard({ label, image, large = false, hue, ...rest }: CheckCardProps) {
  return (
    <label className={`check-card${large && image ? ' check-card--large' : ''} ${hue ?? ''}`}>
      <input {...rest} type="checkbox" className="check-card__input" />
      {image ? (
        <img className="check-card__image" src={image} {...pictureSizes(image, large ? '7rem' : '2.75rem')} alt="" width="44" height="44" loading="lazy" />
      ) : null}
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
