import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactNode } from 'react';
import { isUnreached, loadFailureOf } from '@/api/errors';
import { useOnline } from '@/lib/useOnline';
import { Button } from '@/ui/Button';

interface Props {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  figure?: ReactNode;
  /** The heading level; 1 when this is the whole page. */
  level?: 1 | 2;
}

/** An empty state, with suggestions for what to do next. */
export function EmptyState({ title, children, actions, figure, level = 2 }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div className="state">
      {figure ?? <Peel />}
      <Heading className="state__title">{title}</Heading>
      {children ? <div className="state__text">{children}</div> : null}
      {actions ? <div className="state__actions">{actions}</div> : null}
    </div>
  );
}

interface ErrorProps {
  error?: unknown;
  /** Replaces the error's own text. */
  message?: string;
  onRetry?: () => void;
  level?: 1 | 2;
}

/** An error state with a retry. The text comes from the server or the specification. Offline it shows `NotHere` instead. */
export function ErrorState(props: ErrorProps) {
  const online = useOnline();
  const [wasOffline] = useState(!online);
  return wasOffline && isUnreached(props.error) ? <NotHere {...props} /> : <Failure {...props} />;
}

/** For content that is not on this device while the device is offline. It loads by itself when the connection is back. */
export function NotHere({ onRetry, level = 2 }: Pick<ErrorProps, 'onRetry' | 'level'>) {
  const online = useOnline();
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (online) retry();
  }, [online]);
  return (
    <EmptyState title="Not on this device" level={level} actions={onRetry ? <Button onClick={onRetry}>Try again</Button> : null}>
      <p>You are offline, and this page is not saved on this device. It will load when the connection is back.</p>
    </EmptyState>
  );
}

function Failure({ error, message, onRetry, level = 2 }: ErrorProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="state" role="alert">
      <Peel />
      <Heading className="state__title">{message ?? loadFailureOf(error)}</Heading>
      {onRetry ? (
        <div className="state__actions">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      ) : null}
    </div>
  );
}

/** The illustration of empty and error states: a curl of peel. */
export function Peel() {
  return (
    <svg className="state__figure peel" viewBox="0 0 112 112" aria-hidden="true" focusable="false">
      <circle className="peel__ground" cx="56" cy="56" r="50" />
      <path
        className="peel__outside"
        d="M56 20c22 0 38 15 38 34 0 17-13 29-30 29-14 0-25-9-25-22 0-10 8-18 18-18 8 0 14 6 14 13h-9c0-3-2-5-5-5-5 0-9 4-9 10 0 8 7 13 16 13 12 0 21-8 21-20 0-14-12-25-29-25-18 0-31 13-31 31 0 9 3 17 9 23l-6 6c-8-8-12-18-12-29 0-23 17-40 40-40Z"
      />
    </svg>
  );
}
