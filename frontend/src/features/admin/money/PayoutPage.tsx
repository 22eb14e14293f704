import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { CsvButton } from '@/features/admin/components/CsvButton';
import { Facts } from '@/features/admin/components/Facts';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { PayDialog } from '@/features/admin/money/PayDialog';
import { amountText } from '@/features/admin/money/amounts';
import { readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatDay, formatMoney, formatNumber, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

type PaidOut = ResultOf<'GET /api/admin/payouts/{userId}'>['history'][number];

const payoutQuery = (userId: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'payouts', 'one', userId],
    queryFn: async ({ signal }) => call('GET /api/admin/payouts/{userId}', { path: { userId }, signal }),
    staleTime: 5_000,
    retryOnMount: false,
  });

export const loader = ({ params }: LoaderFunctionArgs) => forAdmins(() => queryClient.query(payoutQuery(params['userId'] ?? '')));

const COLUMNS: readonly Column<PaidOut>[] = [
  { id: 'id', header: 'Payout', cell: ({ id }) => formatNumber(id), fit: true },
  { id: 'at', header: 'Paid on', cell: ({ at }) => formatDay(at) },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => formatMoney(amount), align: 'end', fit: true },
];

/** /admin/payouts/{userId}: one member's referral earnings, and each payout. */
export function Component() {
  const { userId = '' } = useParams();
  const { data, error, refetch } = useQuery(payoutQuery(userId));
  const [isPaying, setPaying] = useState(false);
  const title = data ? `Payouts to ${data.payout.email}` : 'Payouts';
  useTitle(title);
  return (
    <>
      <BackLink to={paths.adminPayouts}>Payouts</BackLink>
      <div className="admin__head">
        <h1 className="page__title" tabIndex={-1}>
          {title}
        </h1>
        {data && data.history.length > 0 ? (
          <span className="admin__add">
            <CsvButton
              file={`payouts-${userId}`}
              about="Payouts"
              rows={() => [['Payout', 'Paid on', 'Amount'], ...data.history.map(({ id, at, amount }) => [String(id), isoDate(at), amountText(amount)])]}
            />
          </span>
        ) : null}
      </div>
      {data ? (
        <Loaded {...data} onPay={() => setPaying(true)} />
      ) : error ? (
        <PageError
          error={error}
          back={{ to: paths.adminPayouts, label: 'Payouts', what: 'This member has not earned anything.' }}
          onRetry={() => void refetch()}
        />
      ) : (
        <RowsSkeleton label="Loading the payouts" />
      )}
      {data && isPaying ? (
        <PayDialog
          payout={data.payout}
          onClose={() => setPaying(false)}
          onDone={() => {
            setPaying(false);
            void readAgain('payouts', 'ledger');
          }}
        />
      ) : null}
    </>
  );
}

function Loaded({ payout, history, onPay }: ResultOf<'GET /api/admin/payouts/{userId}'> & { onPay: () => void }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Member', <MemberLink key="member" member={{ id: payout.userId, email: payout.email }} />],
    ['Program', payout.kind === 'affiliate' ? 'Affiliate' : 'Friends'],
    ['Purchases', formatNumber(payout.purchases)],
    ['Pending', formatMoney(payout.pending)],
    ['Due', formatMoney(payout.payable)],
    ['Paid so far', formatMoney(payout.paid)],
  ];
  const latest = history.toReversed();
  return (
    <div className="admin__split">
      <section className="admin__panel" aria-labelledby="payouts">
        <h2 className="admin__panel-title" id="payouts">
          History
        </h2>
        {latest.length === 0 ? (
          <p className="admin__note">Nothing has been paid out yet.</p>
        ) : (
          <DataTable caption="History" columns={COLUMNS} rows={latest} keyOf={({ id }) => String(id)} nameOf={({ id }) => `Payout ${id}`} />
        )}
      </section>
      <aside className="admin__aside">
        <section className="admin__panel" aria-label="Details">
          <Facts facts={facts} />
          {payout.pending > 0 ? <p className="admin__note">Earnings from the last 30 days are held in case the purchase is refunded.</p> : null}
          {payout.payable > 0 ? <Button onClick={onPay}>{`Mark ${formatMoney(payout.payable)} as paid…`}</Button> : null}
        </section>
      </aside>
    </div>
  );
}
