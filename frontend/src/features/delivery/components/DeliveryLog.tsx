import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { FileSkeleton } from '@/features/delivery/components/PaidOnly';
import { deliveriesQuery, invalidateDeliveries } from '@/features/delivery/queries';
import type { Delivery } from '@/features/delivery/queries';
import { formatAgo } from '@/lib/ago';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { LoadMore } from '@/ui/LoadMore';
import { ErrorState } from '@/ui/State';

const STATES: Record<Delivery['state'], string> = { queued: 'Queued', sent: 'Sent', failed: 'Failed' };

/** The title of what was sent, and the path of its page. */
function sentItem({ book, summary }: Delivery): { title: string; to: string } {
  if (book) return { title: book.title, to: paths.book(book.subid) };
  return { title: summary?.title ?? '', to: summary ? paths.aiSummary(summary.id) : paths.ai };
}

/** The delivery log: what was sent to the e-reader, and its state (delivery.delivery-log). */
export function DeliveryLog() {
  const list = useInfiniteQuery(deliveriesQuery());
  const { data, dataUpdatedAt, error, refetch } = list;
  const retry = useMutation({
    mutationFn: (id: number) => call('POST /api/kindle/deliveries/{id}/retry', { path: { id: String(id) } }),
    onSettled: invalidateDeliveries,
  });
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  const newest = deliveries[0];
  return (
    <section className="kindle__log" aria-labelledby="kindle-log">
      <h2 id="kindle-log">Sent to your Kindle</h2>
      <p className="visually-hidden" role="status">
        {newest ? `${sentItem(newest).title}: ${STATES[newest.state]}` : ''}
      </p>
      {retry.isError ? <Alert kind="warning">{rawMessageOf(retry.error)}</Alert> : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <FileSkeleton label="Loading the log" /> : null}
      {data && deliveries.length === 0 ? <p className="kindle__note">Nothing yet. What you send will be listed here with its status.</p> : null}
      <ul className="kindle__list">
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            now={dataUpdatedAt}
            trying={retry.isPending && retry.variables === delivery.id}
            onRetry={() => retry.mutate(delivery.id)}
          />
        ))}
      </ul>
      <LoadMore list={list}>Show more</LoadMore>
    </section>
  );
}

function DeliveryRow({ delivery, now, trying, onRetry }: { delivery: Delivery; now: number; trying: boolean; onRetry: () => void }) {
  const { title, to } = sentItem(delivery);
  return (
    <li className="kindle__item">
      <div className="kindle__what">
        <Link className="kindle__title book-card__title" to={to}>
          {title}
        </Link>
        <span className="kindle__note">{formatAgo(delivery.endedAt ?? delivery.at, now)}</span>
        {delivery.why ? <span className="kindle__note">{delivery.why}</span> : null}
      </div>
      <span className={`kindle__state kindle__state--${delivery.state}`}>{STATES[delivery.state]}</span>
      {delivery.state === 'failed' ? (
        <Button busy={trying} busyText="Trying" aria-label={`Try again: ${title}`} onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </li>
  );
}
