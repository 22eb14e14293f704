import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { ListPage } from '@/features/admin/components/ListPage';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { KINDS, plansQuery } from '@/features/admin/money/plans';
import type { Plan } from '@/features/admin/money/plans';
import { forAdmins } from '@/features/admin/queries';
import { formatMoney, formatNumber } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forAdmins(() => queryClient.query(plansQuery()));

const COLUMNS: readonly Column<Plan>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name, archived }) => (
      <>
        <Link className="data-table__title" to={paths.adminPlanEdit(id)}>
          {name}
        </Link>
        {archived ? <span className="badge badge--soon">Archived</span> : null}
      </>
    ),
  },
  { id: 'kind', header: 'Kind', cell: ({ kind }) => KINDS[kind] ?? kind, wide: true },
  { id: 'price', header: 'Price', cell: ({ price }) => formatMoney(price), align: 'end', fit: true },
  {
    id: 'subscribers',
    header: 'Renewing',
    cell: ({ kind, subscribers }) => (kind === 'monthly' || kind === 'yearly' ? formatNumber(subscribers) : ''),
    align: 'end',
    fit: true,
  },
];

/** /admin/plans: the plans and their prices. */
export function Component() {
  useTitle(ROUTES.adminPlans.title);
  const { data: plans, error, refetch } = useQuery(plansQuery());
  return (
    <ListPage title="Plans and prices" add={{ label: ROUTES.adminPlanAdd.title, to: paths.adminPlanAdd }}>
      {plans ? (
        <DataTable caption="Plans" columns={COLUMNS} rows={plans} keyOf={({ id }) => id} nameOf={({ name }) => name} />
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the plans" />
      )}
    </ListPage>
  );
}
