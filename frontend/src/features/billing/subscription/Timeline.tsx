import { Suspense, lazy, useState } from 'react';
import { Link } from 'react-router';
import type { TimelineEntry } from '@/shared/payment/billing';
import { formatDay, formatMoney } from '@/lib/format';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { Icon } from '@/ui/Icon';

const RefundForm = lazy(() => import(/* webpackChunkName: "account-refund" */ '@/features/billing/subscription/RefundForm').catch(chunkLoadError));

/** How many rows are shown at first: upcoming ones, and the latest past ones. */
const FIRST = 8;

/** Everything charged, due and credited: upcoming entries first, then past ones, newest first. */
export function Timeline({ entries, refundDays }: { entries: readonly TimelineEntry[]; refundDays: number }) {
  const [all, setAll] = useState(false);
  // An old page may offer a refund that is no longer possible: the page states the deadline, and the server decides.
  const [now] = useState(() => Date.now());
  const [asking, setAsking] = useState<TimelineEntry | null>(null);
  if (entries.length === 0) return <p className="section__empty">Nothing has been charged, and nothing is due.</p>;
  const shown = all ? entries : entries.slice(0, FIRST);
  return (
    <>
      <ul className="timeline">
        {shown.map((entry) => (
          <Entry key={`${entry.id}-${entry.at}`} entry={entry} now={now} onRefund={() => setAsking(entry)} />
        ))}
      </ul>
      {shown.length < entries.length ? (
        <Button className="timeline__more" kind="quiet" onClick={() => setAll(true)}>
          Show all {entries.length}
        </Button>
      ) : null}
      <Dialog open={asking !== null} onClose={() => setAsking(null)} title="Request a refund">
        {asking ? (
          <Suspense fallback={<DialogSkeleton />}>
            <RefundForm entry={asking} days={refundDays} onClose={() => setAsking(null)} />
          </Suspense>
        ) : null}
      </Dialog>
    </>
  );
}

/** Matches the plan names of infographic collections. */
const INFOGRAPHICS = /infographics/i;

/** '$9.99' charged, '−$9.99' refunded, 'No charge' for zero. */
const amountText = (amount: number): string => (amount === 0 ? 'No charge' : amount < 0 ? `−${formatMoney(-amount)}` : formatMoney(amount));

function Entry({ entry, now, onRefund }: { entry: TimelineEntry; now: number; onRefund: () => void }) {
  const { at, title, why, amount, planName, future, receiptUrl, receiptPdfUrl, refundableUntil } = entry;
  const day = formatDay(at);
  const isRefundable = refundableUntil !== null && refundableUntil > now;
  const hasInfographics = amount > 0 && !future && INFOGRAPHICS.test(planName);
  return (
    <li className={future ? 'timeline__entry timeline__entry--future' : 'timeline__entry'}>
      <div className="timeline__head">
        <h3 className="timeline__title">{title}</h3>
        <p className="timeline__amount tabular">{amountText(amount)}</p>
      </div>
      <p className="timeline__day">
        <time dateTime={new Date(at).toISOString()}>{day}</time>
        {future ? <span className="badge badge--soon">Upcoming</span> : null}
      </p>
      {why ? <p className="timeline__why">{why}</p> : null}
      {receiptUrl || receiptPdfUrl || isRefundable || hasInfographics ? (
        <p className="timeline__actions">
          {receiptUrl ? (
            <a className="timeline__link" href={receiptUrl} target="_blank" rel="noreferrer" aria-label={`Receipt of ${day}, opens in a new tab`}>
              Receipt
            </a>
          ) : null}
          {receiptPdfUrl ? (
            <a className="timeline__link" href={receiptPdfUrl} download aria-label={`Receipt of ${day} as a PDF`}>
              <Icon name="download" />
              PDF
            </a>
          ) : null}
          {hasInfographics ? (
            <Link className="timeline__link" to={paths.infographics}>
              Your infographics
            </Link>
          ) : null}
          {isRefundable ? (
            <button
              type="button"
              className="timeline__link"
              aria-haspopup="dialog"
              aria-label={`Request a refund of ${formatMoney(amount)} from ${day}`}
              onClick={onRefund}
            >
              Request a refund
            </button>
          ) : null}
        </p>
      ) : null}
    </li>
  );
}
