import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { callFile } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { ExportButton } from '@/features/admin/components/ExportButton';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { forAdmins } from '@/features/admin/queries';
import { PLANS, ROLES, STATES, usersFilter, usersQuery } from '@/features/admin/users/queries';
import type { UserRow } from '@/features/admin/users/queries';
import { isoDate, ownNameOf } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { LoadMore } from '@/ui/LoadMore';
import { EmptyState } from '@/ui/State';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.infiniteQuery(usersQuery(usersFilter(new URL(request.url).searchParams))));

const COLUMNS: readonly Column<UserRow>[] = [
  { id: 'id', header: 'Id', cell: ({ id }) => id, align: 'end', fit: true },
  { id: 'email', header: 'E-mail', cell: ({ email }) => email },
  { id: 'name', header: 'Name', cell: (user) => ownNameOf(user), wide: true },
  { id: 'plan', header: 'Plan', cell: ({ planName }) => planName ?? <span className="data-table__faint">Free</span>, wide: true },
  { id: 'state', header: 'Status', cell: (user) => <UserState user={user} />, wide: true },
  { id: 'createDate', header: 'Date', cell: ({ createDate }) => isoDate(createDate), fit: true },
  {
    id: 'edit',
    header: 'Edit',
    cell: ({ id, email }) => (
      <Link className="link" to={paths.adminUser(id)} aria-label={`Edit ${email}`}>
        Edit
      </Link>
    ),
    fit: true,
  },
];

/** /admin/users: the members, newest first. */
export function Component() {
  useTitle(ROUTES.adminUsers.title);
  const [search] = useSearchParams();
  const filter = usersFilter(search);
  const pages = useInfiniteQuery(usersQuery(filter));
  const { data, error, refetch } = pages;
  const users = data?.pages.flatMap((page) => page.users) ?? [];
  return (
    <ListPage
      title="Users"
      add={{ label: ROUTES.adminUserAdd.title, to: paths.adminUserAdd }}
      total={data?.pages.at(-1)}
      download={users.length > 0 ? <ExportButton about="Users of this list" ask={() => callFile('POST /api/admin/user/export', { query: filter })} /> : null}
      tools={
        <>
          <ListSearch label="Name, address or id" />
          <UrlSelect label="Role" name="role" all="All roles" options={ROLES} />
          <UrlSelect label="Plan" name="plan" all="All plans" options={PLANS} />
          <UrlSelect label="Status" name="state" all="All statuses" options={STATES} />
        </>
      }
    >
      {!data && error ? <PageError error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label="Loading the users" /> : null}
      {data && users.length === 0 ? (
        <EmptyState title="No users found.">{Object.keys(filter).length > 0 ? <p>Try fewer words, or other filters.</p> : null}</EmptyState>
      ) : null}
      {users.length > 0 ? <DataTable caption="Users" columns={COLUMNS} rows={users} keyOf={({ id }) => String(id)} nameOf={({ email }) => email} /> : null}
      <LoadMore list={pages}>Load More</LoadMore>
    </ListPage>
  );
}

function UserState({ user: { role, confirmed, suspendedAt } }: { user: UserRow }) {
  if (suspendedAt !== null) return <span className="badge badge--warn">Suspended</span>;
  if (role !== 'member') return <span className="badge">{role === 'admin' ? 'Admin' : 'Editor'}</span>;
  return <span className="data-table__faint">{confirmed ? 'Active' : 'Not confirmed'}</span>;
}
