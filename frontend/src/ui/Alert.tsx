import type { ReactNode } from 'react';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';

type Kind = 'warning' | 'harm' | 'success' | 'info';

const ICONS: Record<Kind, IconName> = { warning: 'warning', harm: 'warning', success: 'check', info: 'info' };

/** Something that happened to what was asked for. Warnings and harm are read out at once, the rest when there is a pause. */
export function Alert({ kind = 'info', children }: { kind?: Kind; children: ReactNode }) {
  const urgent = kind === 'warning' || kind === 'harm';
  return (
    <div className={`alert alert--${kind}`} role={urgent ? 'alert' : 'status'}>
      <Icon name={ICONS[kind]} />
      <div className="alert__body">{children}</div>
    </div>
  );
}
