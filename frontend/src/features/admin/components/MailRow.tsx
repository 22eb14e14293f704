import { STATES } from '@/features/admin/filters';
import type { Mail } from '@/features/admin/queries';
import { mailName } from '@/features/admin/words';
import { formatAgo } from '@/lib/ago';
import { formatWait, plural } from '@/lib/format';
import { Button } from '@/ui/Button';

const DELIVERIES: Readonly<Record<Mail['deliveries'], string>> = {
  none: 'not sent yet',
  once: 'sent once',
  once_or_twice: 'sent once or twice',
  unknown: 'may have been sent',
};

/** The next attempt of a queued mail: 'next attempt in 40 seconds'. */
const nextTry = (at: number, now: number): string => (at > now ? `next attempt in ${formatWait(Math.ceil((at - now) / 1000))}` : 'about to be sent');

/** A mail: its kind, recipient, state and error. */
export function MailRow({ mail, now, busy, onRetry }: { mail: Mail; now: number; busy: boolean; onRetry: () => void }) {
  const { kind, to, state, attempts, deliveries, lastError, createdAt, sentAt, nextAt } = mail;
  const facts = [
    attempts === 0 ? null : plural(attempts, 'attempt'),
    DELIVERIES[deliveries],
    // Shown only when it differs from the time when the mail was queued, which is shown beside it.
    sentAt === null || sentAt - createdAt < 60_000 ? null : formatAgo(sentAt, now),
    nextAt === null ? null : nextTry(nextAt, now),
  ].filter((fact) => fact !== null);
  return (
    <li className="inbox__item mail" tabIndex={-1}>
      <span className={`badge mail__state mail__state--${state}`}>{STATES[state]}</span>
      <div className="mail__what">
        <p className="mail__name">
          {mailName(kind)}
          <span className="mail__to">{` to ${to ?? 'a deleted account'}`}</span>
        </p>
        <p className="mail__facts">{facts.join(' · ')}</p>
        {lastError ? <p className="mail__error">{lastError}</p> : null}
      </div>
      <p className="mail__when">{formatAgo(createdAt, now)}</p>
      {state === 'set_aside' ? (
        <Button
          busy={busy}
          busyText="Trying…"
          className="mail__retry"
          onClick={onRetry}
          aria-label={`Try again: ${mailName(kind)} to ${to ?? 'a deleted account'}`}
        >
          Try again
        </Button>
      ) : null}
    </li>
  );
}
