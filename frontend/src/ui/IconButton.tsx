import type { ComponentProps } from 'react';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';

type Props = { icon: IconName; label: string; filled?: boolean } & Omit<ComponentProps<'button'>, 'children'>;

/** A button with only an icon; its label is read by screen readers and shown on hover. */
export function IconButton({ icon, label, filled = false, className, type = 'button', ...rest }: Props) {
  return (
    <button {...rest} type={type} className={['icon-button', className].filter(Boolean).join(' ')} aria-label={label} title={label}>
      <Icon name={icon} filled={filled} />
    </button>
  );
}
