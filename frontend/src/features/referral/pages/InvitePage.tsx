import '@/features/referral/referral.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { CopyField } from '@/shared/referral/CopyField';
import { Earnings, Figures } from '@/features/referral/components/Earnings';
import { affiliateQuery } from '@/features/referral/queries';
import type { Affiliate } from '@/features/referral/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { site } from '@/lib/site';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

export const loader = () => settleBeforeFirstRender(queryClient.query(affiliateQuery()));

/** /invite: joins the affiliate program; afterwards the link, clicks, purchases and commission (referral.affiliate-program). */
export function Component() {
  useTitle(ROUTES.invite.title);
  const { data, error, refetch } = useQuery(affiliateQuery());
  return (
    <div className="page page--text referral">
      <h1 className="page__title">Affiliate program</h1>
      {data ? (
        data.joined && data.link !== null ? (
          <Joined affiliate={data} link={data.link} />
        ) : (
          <Join />
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" className="referral__form">
          <span className="visually-hidden">Loading</span>
          <SkeletonText width={80} />
          <SkeletonText width={50} />
        </div>
      )}
      <p className="referral__small">
        How it works, and what counts: <Link to={paths.affiliate}>the affiliate program</Link>. To invite friends, use{' '}
        <Link to={paths.referAFriend}>Refer a Friend</Link>.
      </p>
    </div>
  );
}

function Join() {
  const join = useMutation({
    mutationFn: () => call('POST /api/affiliate'),
    onSuccess: (joined) => {
      queryClient.setQueryData(affiliateQuery().queryKey, joined);
      toast('You have joined. Your link is ready.');
    },
  });
  return (
    <>
      <p className="page__lead">You get your own link and earn 10% of every Premium purchase made through it within 90 days.</p>
      <div className="referral__join">
        {join.isError ? <Alert kind="warning">{messageOf(join.error)}</Alert> : null}
        <Button kind="primary" large busy={join.isPending} busyText="Joining" onClick={() => join.mutate()}>
          Join
        </Button>
      </div>
    </>
  );
}

function Joined({ affiliate: { clicks, purchases, commission }, link }: { affiliate: Affiliate; link: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The join button, which had the focus, is removed.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <section className="referral__part" aria-labelledby="link-title">
        <h2 className="referral__heading" id="link-title" ref={heading} tabIndex={-1}>
          Your link
        </h2>
        <CopyField label="Your affiliate link" text={link} kind="primary" />
      </section>
      <section className="referral__part" aria-labelledby="stats-title">
        <h2 className="referral__heading" id="stats-title">
          Results
        </h2>
        <Figures
          label="Your link’s figures"
          figures={[
            { label: 'Clicks', value: clicks },
            { label: 'Purchases', value: purchases },
            { label: 'Commission', value: commission.pending + commission.payable + commission.paid, isMoney: true },
          ]}
        />
        <Earnings {...commission} />
        <p className="referral__small">
          {site.supportEmail ? (
            <>
              What is due is paid when you write to <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>, and we will agree on how.
            </>
          ) : (
            'We will agree with you on how to pay what is due.'
          )}
        </p>
      </section>
    </>
  );
}
