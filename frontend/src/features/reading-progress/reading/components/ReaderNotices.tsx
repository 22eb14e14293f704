// Notices in the reader: a free member's remaining summaries, that the book is read again, and an invitation to sign up.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { AccountLinks } from '@/features/reading-progress/reading/components/Paywall';
import { here } from '@/shared/reader/position';
import { freeLeft } from '@/lib/format';
import { site } from '@/lib/site';
import { nextMonth } from '@/lib/nextMonth';
import { accountQuery } from '@/shared/session/account';
import { paths, plansFor } from '@/paths';
import { Alert } from '@/ui/Alert';

/** A member's remaining free summaries (reading-progress.last-free). The last one is announced once, on the visit that used it. */
export function AllowanceNotice({ book }: { book: Book }) {
  if (book.free || !book.allowance) return null;
  if (book.lastFree) {
    return (
      <div className="reader__notice">
        <Alert kind="info">
          This was your last free summary. It stays open to you. <NextFree /> <Link to={plansFor(here())}>Upgrade to read without limits</Link>
        </Alert>
      </div>
    );
  }
  return <p className="reader__allowance">{freeLeft(book.allowance)}</p>;
}

/** When the next free summary comes, and that an invitation brings one (reading-progress.monthly-summary). */
function NextFree() {
  const { data: user } = useQuery(accountQuery());
  const [now] = useState(() => Date.now());
  if (!user) return null;
  return (
    <>
      {`The next one comes on ${nextMonth(user.timezone, now)}.`}
      {user.friendEmail === null ? (
        <>
          {' '}
          <Link to={paths.referAFriend}>Invite a friend</Link> for one more.
        </>
      ) : null}
    </>
  );
}

/** Shown when a completed book opens at its beginning. */
export function AgainNotice() {
  return <p className="reader__allowance">You have finished this summary. Reading again from the beginning.</p>;
}

/** Shown to a visitor after the last section. */
export function JoinNotice() {
  return (
    <aside className="reader__join">
      <h3 className="reader__join-title">Liked this one?</h3>
      <p>{`With a free account, you can read three more full summaries, and ${site.name} remembers where you stopped.`}</p>
      <div className="paywall__actions">
        <AccountLinks />
      </div>
    </aside>
  );
}
