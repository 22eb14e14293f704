import { Link } from 'react-router';
import { queryString } from '@/api/client';
import { Ago } from '@/features/admin/components/Ago';
import { paths } from '@/features/admin/paths';
import type { System } from '@/features/admin/system/queries';
import { jobName } from '@/features/admin/words';
import { formatNumber, formatWait } from '@/lib/format';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

type Depth = System['queue'][number];

/** Emails have a page of their own. */
const MAIL = 'mail';

const pageOf = (kind: string, state: 'queued' | 'running' | 'set_aside'): string =>
  kind === MAIL && state !== 'running' ? `${paths.adminMails}?${queryString({ state })}` : `${paths.adminJobs}?${queryString({ kind, state })}`;

const columns = (now: number): readonly Column<Depth>[] => {
  const count = (id: 'queued' | 'running' | 'setAside', header: string, state: 'queued' | 'running' | 'set_aside'): Column<Depth> => ({
    id,
    header,
    align: 'end',
    fit: true,
    cell: ({ kind, [id]: number }) =>
      number === 0 ? (
        <span className="data-table__faint">0</span>
      ) : (
        <Link
          className={state === 'set_aside' ? 'link system__fault' : 'link'}
          to={pageOf(kind, state)}
          aria-label={`${formatNumber(number)} ${header.toLowerCase()}: ${jobName(kind)}`}
        >
          {formatNumber(number)}
        </Link>
      ),
  });
  const due = ({ oldestDueAt }: Depth) =>
    oldestDueAt === null ? null : oldestDueAt > now ? `in ${formatWait(Math.ceil((oldestDueAt - now) / 1000))}` : <Ago at={oldestDueAt} now={now} />;
  return [
    {
      id: 'kind',
      header: 'Job',
      cell: (depth) => (
        <span className="data-table__words">
          {jobName(depth.kind)}
          {depth.oldestDueAt === null ? null : <span className="data-table__under">First due: {due(depth)}</span>}
        </span>
      ),
    },
    count('queued', 'Queued', 'queued'),
    count('running', 'Running', 'running'),
    count('setAside', 'Failed', 'set_aside'),
    { id: 'due', header: 'First due', cell: due, fit: true, wide: true },
  ];
};

/** The jobs that wait, run or failed, by kind. */
export function Queue({ queue, now }: { queue: readonly Depth[]; now: number }) {
  if (queue.length === 0) return <p className="admin__note">No job waits, runs or failed.</p>;
  return <DataTable caption="Jobs by kind" columns={columns(now)} rows={queue} keyOf={({ kind }) => kind} nameOf={({ kind }) => jobName(kind)} />;
}
