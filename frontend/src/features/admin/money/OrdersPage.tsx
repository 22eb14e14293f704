import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call, callFile } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { ExportButton } from '@/features/admin/components/ExportButton';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { UrlDay } from '@/features/admin/money/UrlDay';
import { chosen, dayOf, given, isFiltered, wordsOf } from '@/features/admin/money/filters';
import { providerName } from '@/features/admin/money/names';
import { pagedQuery } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatMoney, formatMoment } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

export type OrderRow = ResultOf<'GET /api/admin/orders'>['orders'][number];

export const STATES = [
  { value: 'paid', label: 'Paid' },
  { value: 'pending', label: 'Not finished' },
  { value: 'failed', label: 'Failed' },
  { value: 'price_changed', label: 'Price changed' },
  { value: 'partly_refunded', label: 'Partly refunded' },
  { value: 'refunded', label: 'Refunded' },
  { value: 'disputed', label: 'Disputed' },
] as const;
const BY = [
  { value: 'stripe', label: 'Stripe' },
  { value: 'paypal', label: 'PayPal' },
  { value: 'sandbox', label: 'Sandbox' },
] as const;

const filterOf = (search: URLSearchParams) =>
  given({
    q: wordsOf(search),
    state: chosen(search, 'state', STATES),
    provider: chosen(search, 'provider', BY),
    from: dayOf(search, 'from'),
    to: dayOf(search, 'to'),
  });

const ordersQuery = (filter: ReturnType<typeof filterOf>) =>
  pagedQuery('orders', filter, (after, signal) => call('GET /api/admin/orders', { query: { ...filter, ...after }, signal }));

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(ordersQuery(filterOf(new URL(request.url).searchParams))));

const COLUMNS: readonly Column<OrderRow>[] = [
  {
    id: 'plan',
    header: 'Order',
    cell: ({ id, planName, quantity }) => (
      <Link className="data-table__title data-table__words" to={paths.adminOrder(id)}>
        {quantity > 1 ? `${planName} × ${quantity}` : planName}
      </Link>
    ),
  },
  { id: 'member', header: 'Member', cell: ({ member, email }) => <MemberLink member={member} email={email} /> },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => formatMoney(amount), align: 'end', fit: true },
  { id: 'refunded', header: 'Refunded', cell: ({ refunded }) => (refunded === 0 ? '' : formatMoney(refunded)), align: 'end', fit: true, wide: true },
  { id: 'state', header: 'Status', cell: ({ state }) => <OrderState state={state} />, fit: true },
  { id: 'coupon', header: 'Coupon', cell: ({ coupon }) => <span className="data-table__words">{coupon}</span>, wide: true },
  { id: 'provider', header: 'By', cell: ({ provider }) => providerName(provider), fit: true, wide: true },
  { id: 'at', header: 'Date', cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatMoment(at)}</time>, fit: true, wide: true },
];

/** /admin/orders: orders, newest first. */
export function Component() {
  useTitle(ROUTES.adminOrders.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(ordersQuery(filter));
  const orders = pages.data?.pages.flatMap((page) => page.orders) ?? [];
  return (
    <ListPage
      title="Orders"
      total={pages.data?.pages.at(-1)}
      download={
        orders.length > 0 ? <ExportButton about="Orders of this list" ask={() => callFile('POST /api/admin/orders/export', { query: filter })} /> : null
      }
      tools={
        <>
          <ListSearch label="Address, order or coupon" />
          <UrlSelect label="Status" name="state" all="All statuses" options={STATES} />
          <UrlSelect label="Paid by" name="provider" all="All methods" options={BY} />
          <UrlDay label="From" name="from" />
          <UrlDay label="To" name="to" />
        </>
      }
    >
      <PagedTable
        caption="Orders"
        pages={pages}
        rowsOf={(page) => page.orders}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={({ planName, member, email }) => `${planName} of ${member?.email ?? email ?? 'a deleted account'}`}
        empty={
          <EmptyState title={isFiltered(filter) ? 'No orders match' : 'No orders yet'}>
            <p>{isFiltered(filter) ? 'Try fewer words, or other filters.' : 'Each purchase is listed here as soon as it starts.'}</p>
          </EmptyState>
        }
      />
    </ListPage>
  );
}

const TONES: Readonly<Record<string, string>> = { paid: 'badge--free', partly_refunded: 'badge--free', failed: 'badge--warn', disputed: 'badge--harm' };

/** An order's state in words, colored when it needs attention. */
export function OrderState({ state }: { state: OrderRow['state'] }) {
  const label = STATES.find(({ value }) => value === state)?.label ?? state;
  return <span className={`badge ${TONES[state] ?? 'badge--soon'}`}>{label}</span>;
}
