import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { RequestOf, ResultOf } from '@/api/types';
import { ListPage } from '@/features/admin/components/ListPage';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { pagedQuery, readAgain } from '@/features/admin/paged';
import { ROUTES } from '@/features/admin/paths';
import { forAdmins } from '@/features/admin/queries';
import { jobName, mailName } from '@/features/admin/words';
import { formatAgo } from '@/lib/ago';
import { useTitle } from '@/lib/useTitle';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';
import { toast } from '@/ui/toast';

type Job = ResultOf<'GET /api/admin/jobs'>['jobs'][number];
type Filter = Pick<NonNullable<RequestOf<'GET /api/admin/jobs'>['query']>, 'state' | 'kind'>;

const STATES: Readonly<Record<Job['state'], string>> = { set_aside: 'Failed', queued: 'Queued', running: 'Running', done: 'Done' };
const OTHER_STATES = Object.entries(STATES).flatMap(([value, label]) => (value === 'set_aside' ? [] : [{ value, label }]));
const isState = (text: string | null): text is Job['state'] => text !== null && Object.hasOwn(STATES, text);

/** By default shows the dead letters, because they need a person. */
const filterOf = (search: URLSearchParams): Filter => {
  const state = search.get('state');
  const kind = search.get('kind');
  return { ...(state !== 'all' && { state: isState(state) ? state : 'set_aside' }), ...(kind && { kind }) };
};

const jobsQuery = (filter: Filter) => pagedQuery('jobs', filter, (after, signal) => call('GET /api/admin/jobs', { query: { ...filter, ...after }, signal }));

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(jobsQuery(filterOf(new URL(request.url).searchParams))));

const aboutOf = ({ kind, about }: Job) => (about === '' || about === kind ? '' : `: ${kind === 'mail' ? mailName(about) : about.replaceAll('_', ' ')}`);
const nameOf = (job: Job) => `${jobName(job.kind)}${aboutOf(job)} #${job.id}`;

const columns = (now: number, filter: Filter, retry: (job: Job) => void, busy: (job: Job) => boolean): readonly Column<Job>[] => [
  {
    id: 'kind',
    header: 'Job',
    cell: (job) => (
      <>
        {nameOf(job)}
        {job.recipient === null ? null : <span className="mail__to">{` for ${job.recipient}`}</span>}
        {job.reason === null ? null : <span className="jobs__reason">{job.reason}</span>}
      </>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ state }) => <span className={`badge mail__state jobs__state--${state}`}>{STATES[state]}</span>,
    fit: true,
    wide: filter.state !== undefined,
  },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts, align: 'end', fit: true, wide: true },
  { id: 'createdAt', header: 'Queued', cell: ({ createdAt }) => formatAgo(createdAt, now), fit: true, wide: true },
  {
    id: 'retry',
    header: 'Actions',
    cell: (job) =>
      job.state === 'set_aside' ? (
        <Button busy={busy(job)} busyText="Trying…" onClick={() => retry(job)} aria-label={`Try again: ${nameOf(job)}`}>
          Try again
        </Button>
      ) : null,
    fit: true,
  },
];

/** /admin/jobs: queued jobs, and a retry for those that failed for good. */
export function Component() {
  useTitle(ROUTES.adminJobs.title);
  const [search] = useSearchParams();
  const [now] = useState(() => Date.now());
  const filter = filterOf(search);
  const pages = useInfiniteQuery(jobsQuery(filter));
  const retry = useMutation({
    mutationFn: ({ id }: Job) => call('POST /api/admin/jobs/{id}/retry', { path: { id: String(id) } }),
    onSuccess: () => {
      toast('The job will be tried again.');
      void readAgain('jobs', 'mails', 'overview');
    },
  });
  const kinds = pages.data?.pages[0]?.kinds ?? [];
  return (
    <ListPage
      title="Jobs"
      tools={
        <>
          <UrlSelect label="Status" name="state" all={STATES.set_aside} options={[...OTHER_STATES, { value: 'all', label: 'All statuses' }]} />
          <UrlSelect label="Kind" name="kind" all="All kinds" options={kinds.map((kind) => ({ value: kind, label: jobName(kind) }))} />
        </>
      }
    >
      {retry.isError ? (
        <div className="admin__failure">
          <Alert kind="harm">{messageOf(retry.error)}</Alert>
        </div>
      ) : null}
      <PagedTable
        caption="Jobs"
        pages={pages}
        rowsOf={(page) => page.jobs}
        columns={columns(
          now,
          filter,
          (job) => {
            if (!retry.isPending) retry.mutate(job);
          },
          ({ id }) => retry.isPending && retry.variables.id === id,
        )}
        keyOf={({ id }) => String(id)}
        nameOf={nameOf}
        empty={
          filter.state === 'set_aside' && filter.kind === undefined ? (
            <EmptyState title="No failed jobs">
              <p>Jobs that failed too often stay here until they are tried again.</p>
            </EmptyState>
          ) : (
            <EmptyState title="No jobs match">
              <p>Finished jobs are listed here for 30 days.</p>
            </EmptyState>
          )
        }
      />
    </ListPage>
  );
}
