import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call, callFile } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { ExportButton } from '@/features/admin/components/ExportButton';
import { ListPage } from '@/features/admin/components/ListPage';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { PayDialog } from '@/features/admin/money/PayDialog';
import type { Payout } from '@/features/admin/money/PayDialog';
import { chosen, given, isFiltered } from '@/features/admin/money/filters';
import { pagedQuery, readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatMoney, formatNumber, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

const STATES = [
  { value: 'payable', label: 'Due' },
  { value: 'pending', label: 'Pending' },
  { value: 'paid', label: 'Paid before' },
] as const;

const filterOf = (search: URLSearchParams) => given({ state: chosen(search, 'state', STATES) });
const payoutsQuery = (filter: ReturnType<typeof filterOf>) =>
  pagedQuery('payouts', filter, (after, signal) => call('GET /api/admin/payouts', { query: { ...filter, ...after }, signal }));

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.infiniteQuery(payoutsQuery(filterOf(new URL(request.url).searchParams))));

const money = (cents: number) => (cents === 0 ? <span className="data-table__faint">–</span> : formatMoney(cents));

const columns = (pay: (payout: Payout) => void): readonly Column<Payout>[] => [
  {
    id: 'member',
    header: 'Member',
    cell: ({ userId, email }) => (
      <Link className="data-table__title" to={paths.adminPayout(userId)}>
        {email}
      </Link>
    ),
  },
  { id: 'kind', header: 'Program', cell: ({ kind }) => (kind === 'affiliate' ? 'Affiliate' : 'Friends'), wide: true },
  { id: 'purchases', header: 'Purchases', cell: ({ purchases }) => formatNumber(purchases), align: 'end', fit: true, wide: true },
  { id: 'pending', header: 'Pending', cell: ({ pending }) => money(pending), align: 'end', fit: true, wide: true },
  { id: 'payable', header: 'Due', cell: ({ payable }) => <b>{money(payable)}</b>, align: 'end', fit: true },
  { id: 'paid', header: 'Paid so far', cell: ({ paid }) => money(paid), align: 'end', fit: true, wide: true },
  { id: 'lastPaidAt', header: 'Last paid', cell: ({ lastPaidAt }) => (lastPaidAt === null ? '' : isoDate(lastPaidAt)), fit: true, wide: true },
  {
    id: 'pay',
    header: 'Mark',
    cell: (payout) =>
      payout.payable > 0 ? (
        <Button kind="quiet" aria-label={`Mark as paid: ${payout.email}`} onClick={() => pay(payout)}>
          Mark as paid…
        </Button>
      ) : null,
    fit: true,
  },
];

/** /admin/payouts: referral earnings of members and affiliates. The money is sent elsewhere; this page records the payouts. */
export function Component() {
  useTitle(ROUTES.adminPayouts.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(payoutsQuery(filter));
  const [paying, setPaying] = useState<Payout | null>(null);
  const payouts = pages.data?.pages.flatMap((page) => page.payouts) ?? [];
  return (
    <ListPage
      title="Payouts"
      download={
        payouts.length > 0 ? <ExportButton about="Payouts of this list" ask={() => callFile('POST /api/admin/payouts/export', { query: filter })} /> : null
      }
      tools={
        <>
          <UrlSelect label="Status" name="state" all="All" options={STATES} />
        </>
      }
    >
      <PagedTable
        caption="Payouts"
        pages={pages}
        rowsOf={(page) => page.payouts}
        columns={columns(setPaying)}
        keyOf={({ userId, kind }) => `${userId} ${kind}`}
        nameOf={({ email }) => email}
        empty={
          <EmptyState title={isFiltered(filter) ? 'Nobody matches' : 'Nobody has earned anything yet'}>
            <p>Everyone who has brought in a friend or a customer is listed here, with what is pending and what is due.</p>
          </EmptyState>
        }
      />
      {paying ? (
        <PayDialog
          payout={paying}
          onClose={() => setPaying(null)}
          onDone={() => {
            setPaying(null);
            void readAgain('payouts', 'ledger');
          }}
        />
      ) : null}
    </ListPage>
  );
}
