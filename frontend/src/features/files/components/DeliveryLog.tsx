import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { FileSkeleton } from '@/features/files/components/PaidOnly';
import { deliveriesQuery, invalidateDeliveries } from '@/features/files/queries';
import type { Delivery } from '@/features/files/queries';
import { formatAgo } from '@/lib/ago';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { LoadMore } from '@/ui/LoadMore';
import { ErrorState } from '@/ui/State';

const STATES: Record<Delivery['state'], string> = { queued: 'Queued', sent: 'Sent', failed: 'Failed' };

/** The delivery log: what was sent to the e-reader, and its state (decisions.md 31). */
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
        {newest ? `${newest.book.title}: ${STATES[newest.state]}` : ''}
      </p>
      {retry.isError ? <Alert kind="warning">{messageOf(retry.error)}</Alert> : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <FileSkeleton label="Loading the log" /> : null}
      {data && deliveries.length === 0 ? <p className="kindle__note">Nothing yet. What you send is listed here, with what became of it.</p> : null}
      <ul className="kindle__list">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="kindle__item">
            <div className="kindle__what">
              <Link className="kindle__title book-card__title" to={paths.book(delivery.book.subid)}>{delivery.book.title}</Link>
              <span className="kindle__note">{formatAgo(delivery.endedAt ?? delivery.at, dataUpdatedAt)}</span>
              {delivery.why ? <span className="kindle__note">{delivery.why}</span> : null}
            </div>
            <span className={`kindle__state kindle__state--${delivery.state}`}>{STATES[delivery.state]}</span>
            {delivery.state === 'failed' ? (
              <Button busy={retry.isPending && retry.variables === delivery.id} busyText="Trying" aria-label={`Try again: ${delivery.book.title}`} onClick={() => retry.mutate(delivery.id)}>
                Try again
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <LoadMore list={list}>Show more</LoadMore>
    </section>
  );
}
