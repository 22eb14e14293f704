import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { stepsBackTo } from '@/lib/stepsBack';
import { Icon } from '@/ui/Icon';

interface Props {
  /** The path of the list that this page was opened from. */
  to: string;
  className?: string;
  children: ReactNode;
}

/**
 * A link back to a list. If the list was visited before, it goes back in the history, which restores the scroll position;
 * otherwise it is a plain link. The server renders the same markup.
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
