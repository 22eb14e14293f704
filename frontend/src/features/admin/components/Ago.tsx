import { formatAgo } from '@/lib/ago';
import { formatMoment } from '@/lib/format';

/** How long ago something was; the exact time on hover. */
export function Ago({ at, now }: { at: number; now: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatAgo(at, now)}
    </time>
  );
}
