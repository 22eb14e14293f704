import type { ReactNode } from 'react';
import { Ago } from '@/features/admin/components/Ago';
import type { System } from '@/features/admin/system/queries';
import { formatBytes, formatNumber, formatWait } from '@/lib/format';

type Node = System['nodes'][number];

/** The difference of a node's clock from the database's, in words. */
function clockText(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  if (seconds === 0) return 'Correct';
  return `${formatWait(seconds)} ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}

/** The processes of the site. */
export function Nodes({ nodes, now }: { nodes: readonly Node[]; now: number }) {
  if (nodes.length === 0) return <p className="admin__note">No node has reported yet.</p>;
  return (
    <ul className="system__nodes">
      {nodes.map((node) => (
        <li key={node.id} className="system__node">
          <p className="system__node-name">
            <b>{node.name}</b>
            <span className="badge badge--soon">{node.kind}</span>
            {node.isThis ? <span className="badge badge--free">this one</span> : null}
          </p>
          {node.problem === null ? null : <p className="system__fault">{node.problem}</p>}
          <dl className="system__facts">
            {factsOf(node, now).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const factsOf = ({ release, commit, startedAt, seenAt, clockOffsetMs, maxConnections, disk }: Node, now: number): readonly (readonly [string, ReactNode])[] => [
  ['Release', `${release} (${commit})`],
  ['Started', <Ago key="started" at={startedAt} now={now} />],
  ['Seen', <Ago key="seen" at={seenAt} now={now} />],
  ['Clock', clockText(clockOffsetMs)],
  ['Disk', disk === null ? 'Unknown' : `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} free`],
  ['Connections', `${formatNumber(maxConnections)} at most`],
];
