import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { ROUTES, paths } from '@/features/admin/paths';
import { forAdmins, reasonsQuery } from '@/features/admin/queries';
import { RangeTools } from '@/features/admin/stats/RangeTools';
import { Section } from '@/features/admin/stats/Section';
import { Share } from '@/features/admin/stats/Share';
import { rangeOf, rangeText } from '@/features/admin/stats/range';
import { formatShare } from '@/features/admin/stats/series';
import { formatNumber, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { BackLink } from '@/ui/BackLink';
import '@/features/admin/stats/stats.css';

type Reasons = ResultOf<'GET /api/admin/messages/reasons'>['cancellations'];

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.query(reasonsQuery(rangeOf(new URL(request.url).searchParams, Date.now()))));

/** /admin/reasons: counts of the reasons for cancelled subscriptions and deleted accounts. */
export function Component() {
  useTitle(ROUTES.adminReasons.title);
  const [search] = useSearchParams();
  const [now] = useState(() => Date.now());
  const range = rangeOf(search, now);
  const { data, error, refetch, isPlaceholderData } = useQuery(reasonsQuery(range));
  return (
    <div className="stats" aria-busy={isPlaceholderData}>
      <div>
        <BackLink to={paths.adminMessages}>Inbox</BackLink>
        <div className="admin__head">
          <h1 className="page__title" tabIndex={-1}>
            Reasons for leaving
          </h1>
          <p className="admin__total">{rangeText(range)}</p>
        </div>
      </div>
      <div className="admin__tools stats__range">
        <RangeTools range={range} today={isoDate(now)} />
      </div>
      {data ? (
        <>
          <ReasonsTable
            title="Cancelled subscriptions"
            file={`cancellations-${data.from}-${data.to}`}
            reasons={data.cancellations}
            empty="No subscription was cancelled in this period."
          />
          <ReasonsTable
            title="Deleted accounts"
            file={`deletions-${data.from}-${data.to}`}
            reasons={data.deletions}
            empty="No account was deleted in this period."
          />
        </>
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the reasons" />
      )}
    </div>
  );
}

function ReasonsTable({ title, file, reasons, empty }: { title: string; file: string; reasons: Reasons; empty: string }) {
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      title={title}
      whole
      empty={reasons.length === 0 ? empty : null}
      csv={{ file, rows: () => [['Reason', 'Count'], ...reasons.map(({ reason, count }) => [reason, String(count)])] }}
    >
      <table className="data-table">
        <caption className="visually-hidden">{`${title} by reason`}</caption>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col" className="data-table__cell--end">
              Count
            </th>
            <th scope="col" className="data-table__cell--end">
              Share
            </th>
            <td className="stats__bar-head" />
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ reason, count }) => (
            <tr key={reason}>
              <th scope="row" className="stats__row-title">
                {reason}
              </th>
              <td className="data-table__cell--end">{formatNumber(count)}</td>
              <td className="data-table__cell--end">{formatShare(count / all)}</td>
              <td className="stats__bar">
                <Share of={count / all} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
