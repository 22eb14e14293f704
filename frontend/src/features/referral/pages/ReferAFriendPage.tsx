import '@/features/referral/referral.css';
import { useQuery } from '@tanstack/react-query';
import { redirect } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { InviteForm } from '@/shared/referral/InviteForm';
import { Earnings, Figures } from '@/features/referral/components/Earnings';
import { ShareLink } from '@/features/referral/components/ShareLink';
import { refersQuery } from '@/features/referral/queries';
import type { Refers } from '@/features/referral/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

/** Redirects visitors to the login (referral.visitor-login). */
export const loader = () =>
  session.token() === null
    ? redirect(loginFor(paths.referAFriend))
    : settleBeforeFirstRender(queryClient.query(accountQuery()), queryClient.query(refersQuery()));

/** /refer-a-friend: the member's link and its earnings, and an invitation by mail (referral.reward-shares). */
export function Component() {
  useTitle(ROUTES.referAFriend.title);
  const { data: user, error, refetch } = useQuery(accountQuery());
  const refers = useQuery(refersQuery());
  // The extra summary is for the first invitation; a member with a plan does not need it.
  const earns = user !== undefined && !user.isPaid && user.friendEmail === null;
  return (
    <div className="page page--text referral">
      <h1 className="page__title">Refer a friend</h1>
      <p className="page__lead">
        Send a friend three summaries to start with. When they subscribe, 25% of their first payment is yours.
        {earns ? ' Your first invitation brings you one more summary, too.' : ''}
      </p>

      <section className="referral__part" aria-labelledby="link-title">
        <h2 className="referral__heading" id="link-title">
          Your link
        </h2>
        {refers.data ? (
          <ShareLink link={refers.data.link} />
        ) : refers.error ? (
          <ErrorState error={refers.error} onRetry={() => void refers.refetch()} />
        ) : (
          <Waiting label="Loading your link" />
        )}
      </section>

      {refers.data ? <Stats refers={refers.data} /> : null}

      <section className="referral__part" aria-labelledby="invite-title">
        <h2 className="referral__heading" id="invite-title">
          Invite by email
        </h2>
        {user ? (
          <div className="referral__form">
            <InviteForm user={user} scroll={false} onSent={() => void refetch()} />
          </div>
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Waiting label="Loading the form" />
        )}
        <p className="referral__small">We will write to your friend once, in your name, and will not use the address for anything else.</p>
      </section>
    </div>
  );
}

/** Clicks, friends who subscribed, and earnings including pending ones (referral.earnings-shown). */
function Stats({ refers: { clicks, refers, pending, payable, paid } }: { refers: Refers }) {
  const people = refers.reduce((sum, { num }) => sum + num, 0);
  const money = refers.reduce((sum, { money }) => sum + money, 0);
  return (
    <section className="referral__part" aria-labelledby="stats-title">
      <h2 className="referral__heading" id="stats-title">
        Results
      </h2>
      <Figures
        label="Your referrals"
        figures={[
          { label: 'Clicks', value: clicks },
          { label: 'Friends who subscribed', value: people },
          { label: 'Earned', value: money, isMoney: true },
        ]}
      />
      {money > 0 ? <Earnings pending={pending} payable={payable} paid={paid} /> : null}
    </section>
  );
}

function Waiting({ label }: { label: string }) {
  return (
    <div role="status" className="referral__form">
      <span className="visually-hidden">{label}</span>
      <SkeletonText width={60} />
      <SkeletonText width={80} />
      <SkeletonText width={40} />
    </div>
  );
}
