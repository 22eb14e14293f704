import { Ago } from '@/features/admin/components/Ago';
import { PROVIDERS } from '@/features/admin/money/names';
import type { System } from '@/features/admin/system/queries';
import { formatNumber } from '@/lib/format';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

type Webhook = System['webhooks'][number];

const nameOf = ({ provider }: Webhook): string => PROVIDERS[provider] ?? provider;

const columns = (now: number): readonly Column<Webhook>[] => [
  { id: 'provider', header: 'Provider', cell: nameOf },
  { id: 'last', header: 'Last received', cell: ({ lastAt }) => (lastAt === null ? 'Never' : <Ago at={lastAt} now={now} />), fit: true },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'end',
    fit: true,
    cell: ({ waiting, oldestWaitingAt }) => (
      <>
        {formatNumber(waiting)}
        {oldestWaitingAt === null ? null : (
          <span className="data-table__under">
            first <Ago at={oldestWaitingAt} now={now} />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'oldest',
    header: 'First waiting',
    cell: ({ oldestWaitingAt }) => (oldestWaitingAt === null ? null : <Ago at={oldestWaitingAt} now={now} />),
    fit: true,
    wide: true,
  },
];

/** What the payment providers have sent, and what of it is not applied yet. */
export function Webhooks({ webhooks, now }: { webhooks: readonly Webhook[]; now: number }) {
  if (webhooks.length === 0) return <p className="admin__note">No payment provider is set up.</p>;
  return <DataTable caption="Webhooks by provider" columns={columns(now)} rows={webhooks} keyOf={({ provider }) => provider} nameOf={nameOf} />;
}
