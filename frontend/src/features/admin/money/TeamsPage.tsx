import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { given, isFiltered, wordsOf } from '@/features/admin/money/filters';
import { pagedQuery } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatMoney, formatNumber, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

type Team = ResultOf<'GET /api/admin/teams'>['teams'][number];

const filterOf = (search: URLSearchParams) => given({ q: wordsOf(search) });
const teamsQuery = (filter: ReturnType<typeof filterOf>) =>
  pagedQuery('teams', filter, (after, signal) => call('GET /api/admin/teams', { query: { ...filter, ...after }, signal }));

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(teamsQuery(filterOf(new URL(request.url).searchParams))));

/** The buyer's e-mail address. */
export const buyerOf = ({ buyer, email }: Pick<Team, 'buyer' | 'email'>): string => buyer?.email ?? email ?? 'A deleted account';

const COLUMNS: readonly Column<Team>[] = [
  {
    id: 'buyer',
    header: 'Buyer',
    cell: (team) => (
      <Link className="data-table__title" to={paths.adminTeam(team.id)}>
        {buyerOf(team)}
      </Link>
    ),
  },
  { id: 'seats', header: 'Seats', cell: ({ seats }) => formatNumber(seats), align: 'end', fit: true },
  { id: 'used', header: 'In use', cell: ({ used }) => formatNumber(used), align: 'end', fit: true },
  { id: 'sent', header: 'Sent', cell: ({ sent }) => formatNumber(sent), align: 'end', fit: true, wide: true },
  { id: 'revoked', header: 'Revoked', cell: ({ revoked }) => (revoked === 0 ? '' : formatNumber(revoked)), align: 'end', fit: true, wide: true },
  { id: 'amount', header: 'Paid', cell: ({ amount }) => formatMoney(amount), align: 'end', fit: true, wide: true },
  { id: 'boughtAt', header: 'Date', cell: ({ boughtAt }) => isoDate(boughtAt), fit: true },
];

/** /admin/teams: buyers of seats, and how many seats are in use. */
export function Component() {
  useTitle(ROUTES.adminTeams.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(teamsQuery(filter));
  return (
    <ListPage title="Teams" tools={<ListSearch label="Address" />}>
      <PagedTable
        caption="Teams"
        pages={pages}
        rowsOf={(page) => page.teams}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={buyerOf}
        empty={
          <EmptyState title={isFiltered(filter) ? 'No teams match' : 'No teams yet'}>
            <p>Everyone who buys 20 seats or more is listed here, with the codes for the seats.</p>
          </EmptyState>
        }
      />
    </ListPage>
  );
}
