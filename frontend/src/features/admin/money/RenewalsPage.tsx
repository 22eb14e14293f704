import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { ListPage } from '@/features/admin/components/ListPage';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { providerName } from '@/features/admin/money/names';
import { pagedQuery } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatAgo } from '@/lib/ago';
import { formatDay, formatMoney } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/features/admin/paths';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

type Renewal = ResultOf<'GET /api/admin/failed-renewals'>['renewals'][number];

const renewalsQuery = () => pagedQuery('renewals', {}, (after, signal) => call('GET /api/admin/failed-renewals', { query: after, signal }));

export const loader = () => forAdmins(() => queryClient.infiniteQuery(renewalsQuery()));

const columns = (now: number): readonly Column<Renewal>[] => [
  { id: 'member', header: 'Member', cell: ({ member, email }) => <MemberLink member={member} email={email} /> },
  { id: 'plan', header: 'Plan', cell: ({ planName }) => planName, wide: true },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => formatMoney(amount), align: 'end', fit: true },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts, align: 'end', fit: true, wide: true },
  { id: 'provider', header: 'By', cell: ({ provider }) => providerName(provider), wide: true },
  { id: 'failedAt', header: 'Failed', cell: ({ failedAt }) => formatAgo(failedAt, now), fit: true, wide: true },
  { id: 'graceEndsAt', header: 'Active until', cell: ({ graceEndsAt }) => formatDay(graceEndsAt), fit: true },
];

/** /admin/failed-renewals: plans in their grace period after a failed charge. */
export function Component() {
  useTitle(ROUTES.adminRenewals.title);
  const [now] = useState(() => Date.now());
  const pages = useInfiniteQuery(renewalsQuery());
  return (
    <ListPage title="Failed renewals">
      <PagedTable
        caption="Failed renewals"
        pages={pages}
        rowsOf={(page) => page.renewals}
        columns={columns(now)}
        keyOf={({ id }) => String(id)}
        nameOf={({ member }) => member?.email ?? 'a deleted account'}
        empty={
          <EmptyState title="Every renewal went through">
            <p>Plans whose charge failed are listed here until they are paid or end. The member was notified by email.</p>
          </EmptyState>
        }
      />
    </ListPage>
  );
}
