import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { site } from '@/api/site';
import type { User } from '@/api/types';
import { isActive } from '@/features/account/plan';
import { accountQuery } from '@/features/account/queries';
import { formatDay } from '@/lib/format';
import { settleFirst } from '@/lib/start';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';
import '@/features/account/account.css';

export const loader = () => settleFirst(queryClient.query(accountQuery()));

/** /account: who one is here, what one pays for, and where to change it (member.md §2). */
export function Component() {
  useTitle('Account');
  const { data, error, refetch } = useQuery(accountQuery());
  return (
    <div className="page page--text account">
      <h1 className="page__title">Account</h1>
      {data ? (
        <Details user={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" className="account__card">
          <span className="visually-hidden">Loading your account</span>
          <SkeletonText width={40} />
          <SkeletonText width={70} />
          <SkeletonText width={55} />
        </div>
      )}
      <nav aria-label="Account">
        <ul className="account__links">
          <AccountLink to={paths.chooseCategories('edit')} label="Preferences" note="The categories that your recommendations come from" />
          <AccountLink to={paths.privacy} label="Privacy" />
          <AccountLink to={paths.terms} label="Terms" />
          {site.supportEmail ? (
            <li className="account__item">
              <a className="account__link" href={`mailto:${site.supportEmail}`}>
                <span>
                  <span className="account__label">Contact</span>
                  <span className="account__note">{site.supportEmail}</span>
                </span>
                <Icon name="send" />
              </a>
            </li>
          ) : null}
          <AccountLink to={paths.accountDelete} label="Delete Account" />
        </ul>
      </nav>
      <LinkButton className="account__logout" to={paths.logout}>
        Logout
      </LinkButton>
    </div>
  );
}

function Details({ user }: { user: User }) {
  // The plan may end while the page is open; that is for the next visit to say.
  const [now] = useState(() => Date.now());
  const active = isActive(user, now);
  return (
    <>
      <dl className="account__who">
        <dt>Email</dt>
        <dd>{user.email}</dd>
      </dl>
      <section className={active ? 'account__card account__card--active' : 'account__card'} aria-labelledby="subscription">
        <div className="account__card-head">
          <h2 className="account__card-title" id="subscription">
            Subscription
          </h2>
          {active ? <span className="badge badge--free">Active</span> : null}
        </div>
        {active ? (
          <>
            <p className="account__plan">{user.planName ?? 'Premium'}</p>
            <p className="account__card-text">{user.endPaidDate === null ? 'It does not end.' : `Until ${formatDay(user.endPaidDate)}`}</p>
          </>
        ) : (
          <>
            <p className="account__plan">Free Plan</p>
            <p className="account__card-text">Upgrade to access unlimited summaries</p>
            <LinkButton kind="primary" className="account__upgrade" to={paths.try}>
              Upgrade Now
            </LinkButton>
          </>
        )}
      </section>
    </>
  );
}

function AccountLink({ to, label, note }: { to: string; label: string; note?: string }) {
  return (
    <li className="account__item">
      <Link className="account__link" to={to}>
        <span>
          <span className="account__label">{label}</span>
          {note ? <span className="account__note">{note}</span> : null}
        </span>
        <Icon name="chevronRight" />
      </Link>
    </li>
  );
}
