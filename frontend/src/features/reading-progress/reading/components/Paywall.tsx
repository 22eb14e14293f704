import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { sendEvent } from '@/api/events';
import type { Book } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { ReadButton, takesFree } from '@/features/reading-progress/reading/components/ReadButton';
import { here } from '@/shared/reader/position';
import { nextMonth } from '@/lib/nextMonth';
import { loginFor, paths, plansFor, signupFor } from '@/paths';
import { LinkButton } from '@/ui/Button';

function PaywallSection({ title, text, more, children }: { title: string; text: string; more?: string; children: ReactNode }) {
  return (
    <section className="paywall" aria-labelledby="paywall-title">
      <h2 className="paywall__title" id="paywall-title">
        {title}
      </h2>
      <p className="paywall__text">{text}</p>
      {more ? <p className="paywall__text">{more}</p> : null}
      <div className="paywall__actions">{children}</div>
    </section>
  );
}

/** Links to sign up or log in, which return to this page. */
export function AccountLinks() {
  return (
    <>
      <LinkButton kind="primary" large to={signupFor(here())} onClick={() => sendEvent('start_for_free')}>
        Try it free
      </LinkButton>
      <LinkButton large to={loginFor(here())}>
        Log in
      </LinkButton>
    </>
  );
}

/** Where a preview ends: offers to open the text, log in, upgrade, start a trial, or wait (reading-progress.paywall-offers). */
export function Paywall({ book, id, member }: { book: Book; id: string; member: number | null }) {
  if (book.comingSoon) {
    return (
      <PaywallSection title="Coming soon" text="This summary is being written. Until it is ready, there is plenty to read.">
        <LinkButton large to={paths.books}>
          Browse all summaries
        </LinkButton>
      </PaywallSection>
    );
  }
  if (member === null) {
    return (
      <PaywallSection
        title="Log in to keep reading"
        text="This is the beginning of the summary. With a free account, you can read three full summaries and pick up where you left off on any device."
      >
        <AccountLinks />
      </PaywallSection>
    );
  }
  if (book.limitReached) return <AllowanceUsedUp />;
  if (takesFree(book, member)) {
    const { left } = book.allowance;
    return (
      <PaywallSection
        title="This is the beginning"
        text={`${left === 1 ? 'Reading the whole summary uses your last free one' : `Reading the whole summary uses one of your ${left} free ones`}. From then on, it is yours to read as often as you like.`}
      >
        <ReadButton book={book} id={id} member={member} large />
      </PaywallSection>
    );
  }
  return (
    <PaywallSection
      title="Start your 3 day free trial"
      text="You need a plan to read this summary. Try one free for three days; you will not be charged until they are over."
    >
      <LinkButton kind="primary" large to={plansFor(here())}>
        Start the free trial
      </LinkButton>
    </PaywallSection>
  );
}

/** The allowance is used up: a plan, an invitation or the next month brings more (reading-progress.free-summaries). */
function AllowanceUsedUp() {
  const { data: user } = useQuery(accountQuery());
  const [now] = useState(() => Date.now());
  const invites = user?.friendEmail === null;
  const month = user ? `Your next free summary comes on ${nextMonth(user.timezone, now)}.` : 'You get one more free summary each month.';
  return (
    <PaywallSection
      title="You have read your free summaries"
      text="Upgrade to read this summary and every other one in full, as often as you like. Summaries that you have already opened stay yours to read."
      more={invites ? `${month} Invite a friend to get one more before that.` : month}
    >
      <LinkButton kind="primary" large to={plansFor(here())}>
        Upgrade
      </LinkButton>
      {invites ? (
        <LinkButton large to={paths.referAFriend}>
          Invite a friend
        </LinkButton>
      ) : null}
    </PaywallSection>
  );
}
