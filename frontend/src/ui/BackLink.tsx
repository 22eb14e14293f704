import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { stepsBackTo } from '@/lib/stepsBack';
import { Icon } from '@/ui/Icon';

interface Props {
  /** The list that this page was found in. */
  to: string;
  className?: string;
  children: ReactNode;
}

/**
 * The way back to a list. Who came from there goes back in the history and finds the place in it; to everybody else it is a
 * link like any other. The server writes the same markup.
 */
export function BackLink({ to, className, children }: Props) {
  const navigate = useNavigate();
  return (
    <Link
      className={['link link--more', className].filter(Boolean).join(' ')}
      to={to}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        const steps = stepsBackTo(to);
        if (steps === null) return;
        event.preventDefault();
        void navigate(-steps);
      }}
    >
      <Icon name="arrowLeft" />
      {children}
    </Link>
  );
}
