import type { ReactNode } from 'react';
import { sendEvent } from '@/api/events';
import type { Book } from '@/api/types';
import { here } from '@/features/reading/position';
import { loginFor, paths, signupFor } from '@/paths';
import { LinkButton } from '@/ui/Button';

function Wall({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="paywall" aria-labelledby="paywall-title">
      <h2 className="paywall__title" id="paywall-title">
        {title}
      </h2>
      <p className="paywall__text">{text}</p>
      <div className="paywall__actions">{children}</div>
    </section>
  );
}

/** Sign up or log in, and come back to this page. */
export function AccountLinks() {
  return (
    <>
      <LinkButton kind="primary" large to={signupFor(here())} onClick={() => sendEvent('start_for_free')}>
        Try it free
      </LinkButton>
      <LinkButton large to={loginFor(here())}>
        Login
      </LinkButton>
    </>
  );
}

/** What stands where the text ends for this viewer: to log in, to upgrade, to try, or to wait (member.md §4, §6). */
export function Paywall({ book, signedIn }: { book: Book; signedIn: boolean }) {
  if (book.comingSoon) {
    return (
      <Wall title="Coming soon" text="This summary is being written. Until it is here, there is plenty to read.">
        <LinkButton large to={paths.books}>
          Browse all summaries
        </LinkButton>
      </Wall>
    );
  }
  if (!signedIn) {
    return (
      <Wall
        title="Log in to keep reading"
        text="This is the beginning of the summary. With a free account you read three summaries whole, and pick up where you left off on any device."
      >
        <AccountLinks />
      </Wall>
    );
  }
  if (book.limitReached) {
    return (
      <Wall
        title="You have read your free summaries"
        text="Upgrade to read this one and every other, whole and as often as you like. Summaries that you have already opened stay yours to read."
      >
        <LinkButton kind="primary" large to={paths.try}>
          Upgrade
        </LinkButton>
      </Wall>
    );
  }
  return (
    <Wall title="Start your 3 day free trial" text="This summary opens with a plan. Try one for three days; nothing is charged until they are over.">
      <LinkButton kind="primary" large to={paths.try}>
        Start the free trial
      </LinkButton>
    </Wall>
  );
}
