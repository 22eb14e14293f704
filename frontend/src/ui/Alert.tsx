import type { ReactNode } from 'react';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';

type Kind = 'warning' | 'harm' | 'success' | 'info';

const ICONS: Record<Kind, IconName> = { warning: 'warning', harm: 'warning', success: 'check', info: 'info' };

/** A message about the result of an action. Warnings and errors are announced at once, other kinds politely. */
export function Alert({ kind = 'info', children }: { kind?: Kind; children: ReactNode }) {
  const urgent = kind === 'warning' || kind === 'harm';
  return (
    <div className={`alert alert--${kind}`} role={urgent ? 'alert' : 'status'}>
      <Icon name={ICONS[kind]} />
      <div className="alert__body">{children}</div>
    </div>
  );
}
