import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { User } from '@/api/types';
import { allowanceQuery } from '@/shared/session/account';
import { nextMonth } from '@/lib/nextMonth';
import { paths } from '@/paths';

/** Whether the initial free summaries are used up: from then on there is one each month (reading-progress.monthly-summary). */
export const areFirstOnesUsedUp = ({ left, total }: { left: number; total: number }): boolean => left === 0 || total === 1;

interface Props {
  user: User;
  className: string;
  /** Renders nothing until the initial free summaries are used up. */
  onlyUsedUp?: boolean;
}

/** The allowance without a plan, when the next free summary comes, and that an invitation brings one (reading-progress.free-summaries). Empty while loading. */
export function FreeSummaries({ user, className, onlyUsedUp = false }: Props) {
  const { data } = useQuery({ ...allowanceQuery(), enabled: !user.isPaid });
  const [now] = useState(() => Date.now());
  if (user.isPaid || !data?.allowance || (onlyUsedUp && !areFirstOnesUsedUp(data.allowance))) return null;
  const { left, total } = data.allowance;
  const allowanceText =
    left === 0
      ? `You have read your free summaries. The next one comes on ${nextMonth(user.timezone, now)}.`
      : total === 1
        ? 'Your free summary for this month is ready.'
        : `${left} of ${total} free summaries left. After that, you get one each month.`;
  return (
    <p className={className}>
      {allowanceText}
      {user.friendEmail === null ? (
        <>
          {' '}
          <Link to={paths.referAFriend}>Invite a friend</Link> for one more.
        </>
      ) : null}
    </p>
  );
}
