import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { CsvButton } from '@/features/admin/components/CsvButton';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { buyerOf } from '@/features/admin/money/TeamsPage';
import { forAdmins } from '@/features/admin/queries';
import { formatDay, formatMoney, isoDate, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

type Seat = ResultOf<'GET /api/admin/teams/{id}'>['team']['list'][number];

const teamQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'teams', 'one', id],
    queryFn: async ({ signal }) => (await call('GET /api/admin/teams/{id}', { path: { id }, signal })).team,
    staleTime: 5_000,
    retryOnMount: false,
  });

export const loader = ({ params }: LoaderFunctionArgs) => forAdmins(() => queryClient.query(teamQuery(params['id'] ?? '')));

const STATES: Readonly<Record<string, { label: string; tone: string }>> = {
  free: { label: 'Unused', tone: 'badge--soon' },
  sent: { label: 'Sent', tone: 'badge--warn' },
  used: { label: 'In use', tone: 'badge--free' },
  revoked: { label: 'Revoked', tone: 'badge--soon' },
};

const COLUMNS: readonly Column<Seat>[] = [
  {
    id: 'code',
    header: 'Code',
    cell: ({ code, sentTo }) => (
      <>
        <code className="tabular">{code}</code>
        {sentTo === null ? null : <span className="data-table__under">{sentTo}</span>}
      </>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ state }) => <span className={`badge ${STATES[state]?.tone ?? ''}`}>{STATES[state]?.label ?? state}</span>,
    fit: true,
  },
  { id: 'sentTo', header: 'Sent to', cell: ({ sentTo }) => sentTo ?? '', wide: true },
  { id: 'usedAt', header: 'In use since', cell: ({ usedAt }) => (usedAt === null ? '' : isoDate(usedAt)), fit: true },
];

/** /admin/teams/{id}: the seats of one order. */
export function Component() {
  const { id = '' } = useParams();
  const { data: team, error, refetch } = useQuery(teamQuery(id));
  const title = team ? `Team of ${buyerOf(team)}` : 'Team';
  useTitle(title);
  return (
    <>
      <BackLink to={paths.adminTeams}>Teams</BackLink>
      <div className="admin__head">
        <h1 className="page__title" tabIndex={-1}>
          {title}
        </h1>
        {team ? (
          <span className="admin__add">
            <CsvButton
              file={`team-${id}`}
              about="Seats"
              rows={() => [
                ['Code', 'Status', 'Sent to', 'In use since'],
                ...team.list.map(({ code, state, sentTo, usedAt }) => [code, state, sentTo ?? '', usedAt === null ? '' : isoDate(usedAt)]),
              ]}
            />
          </span>
        ) : null}
      </div>
      {team ? (
        <>
          <p className="admin__lead">
            <MemberLink member={team.buyer} email={team.email} />
            {` · ${plural(team.seats, 'seat')} for ${formatMoney(team.amount)} on ${formatDay(team.boughtAt)} · ${team.used} in use`}
          </p>
          <DataTable caption="Seats" columns={COLUMNS} rows={team.list} keyOf={({ id: seat }) => String(seat)} nameOf={({ code }) => code} />
        </>
      ) : error ? (
        <PageError error={error} back={{ to: paths.adminTeams, label: 'Teams', what: 'There is no team with this number.' }} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the team" />
      )}
    </>
  );
}
