import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { User } from '@/api/types';
import { allowanceQuery } from '@/domain/account';
import { Section } from '@/features/account/components/Section';
import { isActive } from '@/features/account/plan';
import { formatDay } from '@/lib/format';
import { nextMonth } from '@/lib/nextMonth';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** The member's plan, or the offer of one (member.md §2 and §4). */
export function Subscription({ user }: { user: User }) {
  // A plan that ends while the page is open is shown as ended on the next visit.
  const [now] = useState(() => Date.now());
  const active = isActive(user, now);
  return (
    <Section id="subscription" title="Subscription">
      <div className="account__card">
        {active ? (
          <>
            <div>
              <p className="account__plan">
                {user.planName ?? 'Premium'} <span className="badge badge--free">Active</span>
              </p>
              <p className="account__card-text">{user.endPaidDate === null ? 'It does not end.' : `Until ${formatDay(user.endPaidDate)}`}</p>
            </div>
          </>
        ) : (
          <>
            <div>
              <p className="account__plan">Free Plan</p>
              <p className="account__card-text">Upgrade to access unlimited summaries</p>
              <FreeSummaries user={user} now={now} />
            </div>
            <LinkButton kind="primary" to={paths.try}>
              Upgrade Now
            </LinkButton>
          </>
        )}
      </div>
    </Section>
  );
}

/** The allowance without a plan, and what brings more (decisions.md 23). Empty until it is loaded. */
function FreeSummaries({ user, now }: { user: User; now: number }) {
  const { data } = useQuery(allowanceQuery());
  if (!data?.allowance) return null;
  const { left, total } = data.allowance;
  const allowanceText =
    left === 0
      ? `You have read your free summaries. The next one comes on ${nextMonth(user.timezone, now)}.`
      : total === 1
        ? 'Your free summary of the month is there.'
        : `${left} of ${total} free summaries left. Once they are read, one comes each month.`;
  return (
    <p className="account__card-note">
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
