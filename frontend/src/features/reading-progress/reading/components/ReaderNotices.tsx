// What the reader says besides the text: what a free member has left, that the book is read again, and to join.
import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { AccountLinks } from '@/features/reading-progress/reading/components/Paywall';
import { here } from '@/shared/reader/position';
import { freeLeft } from '@/lib/format';
import { site } from '@/lib/site';
import { plansFor } from '@/paths';
import { Alert } from '@/ui/Alert';

/** The free summaries that a member has left (reading-progress.last-free). The last one is announced once, on the visit that took it. */
export function AllowanceNotice({ book }: { book: Book }) {
  if (book.free || !book.allowance) return null;
  if (book.lastFree) {
    return (
      <div className="reader__notice">
        <Alert kind="info">
          This was your last free summary. It stays open to you. <Link to={plansFor(here())}>Upgrade to read without limits</Link>
        </Alert>
      </div>
    );
  }
  return <p className="reader__allowance">{freeLeft(book.allowance)}</p>;
}

/** A finished book opened at its beginning. */
export function AgainNotice() {
  return <p className="reader__allowance">You have finished this summary. Reading again from the beginning.</p>;
}

/** After the last section, for a visitor. */
export function JoinNotice() {
  return (
    <aside className="reader__join">
      <h3 className="reader__join-title">Liked this one?</h3>
      <p>{`With a free account you can read three more full summaries, and ${site.name} remembers where you stopped.`}</p>
      <div className="paywall__actions">
        <AccountLinks />
      </div>
    </aside>
  );
}
