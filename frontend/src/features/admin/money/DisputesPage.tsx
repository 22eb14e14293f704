import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { ListPage } from '@/features/admin/components/ListPage';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { chosen, given, isFiltered } from '@/features/admin/money/filters';
import { providerName } from '@/features/admin/money/names';
import { pagedQuery } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatMoney, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

type Dispute = ResultOf<'GET /api/admin/disputes'>['disputes'][number];

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'won', label: 'Won' },
  { value: 'lost', label: 'Lost' },
] as const;

const filterOf = (search: URLSearchParams) => given({ state: chosen(search, 'state', STATES) });
const disputesQuery = (filter: ReturnType<typeof filterOf>) =>
  pagedQuery('disputes', filter, (after, signal) => call('GET /api/admin/disputes', { query: { ...filter, ...after }, signal }));

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.infiniteQuery(disputesQuery(filterOf(new URL(request.url).searchParams))));

const TONES: Readonly<Record<string, string>> = { open: 'badge--warn', won: 'badge--free' };

const COLUMNS: readonly Column<Dispute>[] = [
  { id: 'member', header: 'Member', cell: ({ member, email }) => <MemberLink member={member} email={email} /> },
  {
    id: 'plan',
    header: 'Order',
    cell: ({ planName, order }) =>
      order === null ? (
        planName
      ) : (
        <Link className="link" to={paths.adminOrder(order)}>
          {planName}
        </Link>
      ),
  },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => formatMoney(amount), align: 'end', fit: true },
  { id: 'fee', header: 'Fee', cell: ({ fee }) => (fee === 0 ? '' : formatMoney(fee)), align: 'end', fit: true, wide: true },
  {
    id: 'state',
    header: 'Status',
    cell: ({ state }) => <span className={`badge ${TONES[state] ?? ''}`}>{STATES.find(({ value }) => value === state)?.label ?? state}</span>,
    fit: true,
  },
  { id: 'provider', header: 'By', cell: ({ provider }) => providerName(provider), wide: true },
  { id: 'at', header: 'Date', cell: ({ at }) => isoDate(at), fit: true, wide: true },
];

/** /admin/disputes: charges that a bank has reversed. Disputes are answered in the provider's dashboard. */
export function Component() {
  useTitle(ROUTES.adminDisputes.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(disputesQuery(filter));
  return (
    <ListPage title="Disputes" tools={<UrlSelect label="Status" name="state" all="All statuses" options={STATES} />}>
      <PagedTable
        caption="Disputes"
        pages={pages}
        rowsOf={(page) => page.disputes}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={({ planName }) => planName}
        empty={
          <EmptyState title={isFiltered(filter) ? 'No disputes match' : 'No disputes yet'}>
            <p>Charges that cardholders dispute are listed here. Respond to them at the provider; the outcome is recorded automatically.</p>
          </EmptyState>
        }
      />
    </ListPage>
  );
}
