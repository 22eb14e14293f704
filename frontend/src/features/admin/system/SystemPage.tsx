import '@/features/admin/system/system.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { Ago } from '@/features/admin/components/Ago';
import { Facts } from '@/features/admin/components/Facts';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { ROUTES, paths } from '@/features/admin/paths';
import { forAdmins } from '@/features/admin/queries';
import { Nodes } from '@/features/admin/system/Nodes';
import { Queue } from '@/features/admin/system/Queue';
import { Webhooks } from '@/features/admin/system/Webhooks';
import { systemQuery } from '@/features/admin/system/queries';
import type { System } from '@/features/admin/system/queries';
import { formatBytes, formatDay, formatMoment, formatNumber, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { Alert } from '@/ui/Alert';
import { Icon } from '@/ui/Icon';

export const loader = () => forAdmins(() => queryClient.query(systemQuery()));

const DAY = 24 * 60 * 60_000;

/** The part of the page that a problem belongs to: its heading, and its id in the URL's fragment. */
const PARTS: Readonly<Record<System['problems'][number]['area'], { id: string; title: string }>> = {
  nodes: { id: 'nodes', title: 'Nodes' },
  disk: { id: 'nodes', title: 'Nodes' },
  queue: { id: 'queue', title: 'Queue' },
  mail: { id: 'mail', title: 'Emails' },
  files: { id: 'files', title: 'Files' },
  backup: { id: 'backup', title: 'Backup' },
  certificate: { id: 'certificate', title: 'Certificate' },
  database: { id: 'database', title: 'Database' },
  webhooks: { id: 'webhooks', title: 'Webhooks' },
};

/** /admin/system: what an operator asks first, with what is wrong at the top (admin.system-page). */
export function Component() {
  useTitle(ROUTES.adminSystem.title);
  const { data, error, refetch } = useQuery(systemQuery());
  return (
    <>
      <div className="admin__head">
        <h1 className="page__title" tabIndex={-1}>
          {ROUTES.adminSystem.title}
        </h1>
        {data ? <p className="admin__total">{`Checked ${formatMoment(data.checkedAt)}`}</p> : null}
      </div>
      {data && error ? (
        <div className="admin__failure">
          <Alert kind="warning">{`This page could not be refreshed: ${messageOf(error)}`}</Alert>
        </div>
      ) : null}
      {data ? (
        <Report system={data} />
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the system’s state" />
      )}
    </>
  );
}

function Report({ system }: { system: System }) {
  const { checkedAt: now, database, mail, files, backup, certificate } = system;
  return (
    <div className="system">
      <Problems problems={system.problems} />
      <Part part={PARTS.nodes}>
        <Nodes nodes={system.nodes} now={now} />
      </Part>
      <Part part={PARTS.queue}>
        <Queue queue={system.queue} now={now} />
      </Part>
      <div className="system__grid">
        <Part part={PARTS.mail}>
          <Facts
            facts={[
              ['Mail server', mail.transport === 'smtp' ? (mail.server ?? 'Yes') : 'None: emails are kept in the outbox'],
              ['Waiting', <Count key="queued" count={mail.queued} to={`${paths.adminMails}?state=queued`} what="waiting emails" />],
              ['Failed', <Count key="failed" count={mail.setAside} to={`${paths.adminMails}?state=set_aside`} what="failed emails" harm />],
              ['Last sent', mail.lastSentAt === null ? 'Never' : <Ago key="sent" at={mail.lastSentAt} now={now} />],
            ]}
          />
        </Part>
        <Part part={PARTS.backup}>
          <Facts
            facts={[
              ['Last backup', backup.lastAt === null ? 'Never' : <Ago key="backup" at={backup.lastAt} now={now} />],
              ...(backup.bytes === null ? [] : [['Size', formatBytes(backup.bytes)] as const]),
              ...(backup.isVerified === null ? [] : [['Restore test', backup.isVerified ? 'Passed' : 'Failed'] as const]),
            ]}
          />
        </Part>
        <Part part={PARTS.certificate}>
          {certificate === null ? (
            <p className="admin__note">The site’s address (PUBLIC_URL) has no HTTPS, so there is no certificate.</p>
          ) : (
            <Facts
              facts={[
                ['Host', certificate.host],
                ['Expires', certificate.expiresAt === null ? 'Unknown' : expiry(certificate.expiresAt, now)],
                ...(certificate.problem === null ? [] : [['Problem', <Fault key="problem">{certificate.problem}</Fault>] as const]),
              ]}
            />
          )}
        </Part>
        <Part part={PARTS.database}>
          <Facts
            facts={[
              ['Postgres', database.version],
              ['Size', formatBytes(database.bytes)],
              ['Connections', `${formatNumber(database.connections)} of ${formatNumber(database.maxConnections)}`],
            ]}
          />
        </Part>
        <Part part={PARTS.files}>
          <Facts
            facts={[
              ['Stored in', files.store === 'bucket' ? 'A bucket' : 'A folder of the server'],
              ['Problem', files.problem === null ? 'None' : <Fault key="problem">{files.problem}</Fault>],
            ]}
          />
        </Part>
        <Part part={{ id: 'version', title: 'Version' }}>
          <Facts
            facts={[
              ['Release', system.release],
              ['Commit', system.commit],
              ['Database schema', system.schema],
            ]}
          />
        </Part>
      </div>
      <Part part={PARTS.webhooks}>
        <Webhooks webhooks={system.webhooks} now={now} />
      </Part>
    </div>
  );
}

/** What is wrong, each with a link to its part of the page. */
function Problems({ problems }: { problems: System['problems'] }) {
  if (problems.length === 0) return <Alert kind="success">All is well.</Alert>;
  return (
    <section className="system__problems" aria-labelledby="problems">
      <h2 className="system__title" id="problems">
        {plural(problems.length, 'problem')}
      </h2>
      <ul className="system__problem-list">
        {problems.map(({ area, message }) => (
          <li key={`${area} ${message}`} className="system__problem">
            <Icon name="warning" />
            <span className="system__problem-text">{message}</span>
            <Link className="link" to={`#${PARTS[area].id}`} replace onClick={() => document.getElementById(PARTS[area].id)?.focus({ preventScroll: true })}>
              {PARTS[area].title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A part of the report. Its heading takes the focus when a problem links to it. */
function Part({ part: { id, title }, children }: { part: { id: string; title: string }; children: ReactNode }) {
  return (
    <section className="system__part" aria-labelledby={id}>
      <h2 className="system__title" id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A number that leads to what it counts. */
function Count({ count, to, what, harm = false }: { count: number; to: string; what: string; harm?: boolean }) {
  if (count === 0) return '0';
  return (
    <Link className={harm ? 'link system__fault' : 'link'} to={to} aria-label={`${formatNumber(count)} ${what}`}>
      {formatNumber(count)}
    </Link>
  );
}

const Fault = ({ children }: { children: string }) => <span className="system__fault">{children}</span>;

/** 'February 14, 2027, in 79 days' */
function expiry(at: number, now: number): string {
  const days = Math.floor((at - now) / DAY);
  if (at <= now) return `${formatDay(at)}: expired`;
  return `${formatDay(at)}, in ${plural(days, 'day')}`;
}
