import { useState } from 'react';
import type { User } from '@/api/types';
import { Section } from '@/features/account/components/Section';
import { isActive } from '@/features/account/plan';
import { formatDay } from '@/lib/format';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** What one pays for, or could (member.md §2 and §4). */
export function Subscription({ user }: { user: User }) {
  // The plan may end while the page is open; that is for the next visit to say.
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
