import '@/features/referral/referral.css';
import { useQuery } from '@tanstack/react-query';
import { redirect } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/domain/account';
import { InviteForm } from '@/domain/InviteForm';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

/** Visitors log in first (member.md §4). */
export const loader = () => (session.token() === null ? redirect(loginFor(paths.referAFriend)) : settleBeforeFirstRender(queryClient.query(accountQuery())));

/** /refer-a-friend: an invitation by mail, and its reward (member.md §2, §9). */
export function Component() {
  useTitle(ROUTES.referAFriend.title);
  const { data: user, error, refetch } = useQuery(accountQuery());
  // The extra summary comes with the first invitation; a member with a plan does not need it.
  const earns = user !== undefined && !user.isPaid && user.friendEmail === null;
  return (
    <div className="page page--text referral">
      <h1 className="page__title">Refer a friend</h1>
      <p className="page__lead">Send a friend three summaries to begin with.{earns ? ' Your first invitation brings you one more, too.' : ''}</p>
      {user ? (
        <div className="referral__form">
          <InviteForm user={user} onSent={() => void refetch()} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" className="referral__form">
          <span className="visually-hidden">Loading the form</span>
          <SkeletonText width={60} />
          <SkeletonText width={80} />
          <SkeletonText width={40} />
        </div>
      )}
      <p className="referral__small">We write to your friend once, in your name, and keep the address for nothing else.</p>
    </div>
  );
}
