import { queryOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call, callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { ExportButton } from '@/features/admin/components/ExportButton';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { UrlDay } from '@/features/admin/money/UrlDay';
import { chosen, dayOf, given, isFiltered, wordsOf } from '@/features/admin/money/filters';
import { nameOf, refundReason } from '@/features/admin/money/names';
import { pagedQuery } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatMoment, formatMoney, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

type Row = ResultOf<'GET /api/admin/ledger'>['entries'][number];

const KINDS = [
  'trial_started',
  'charged',
  'plan_given',
  'code_redeemed',
  'charge_failed',
  'canceled',
  'resumed',
  'paused',
  'pause_ended',
  'ended',
  'plan_withdrawn',
  'code_revoked',
  'refunded',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'reward_accrued',
  'reward_reversed',
  'reward_paid',
].map((value) => ({ value, label: nameOf(value) }));

const filterOf = (search: URLSearchParams) =>
  given({ q: wordsOf(search), kind: chosen(search, 'kind', KINDS), from: dayOf(search, 'from'), to: dayOf(search, 'to') });
const ledgerQuery = (filter: ReturnType<typeof filterOf>) =>
  pagedQuery('ledger', filter, (after, signal) => call('GET /api/admin/ledger', { query: { ...filter, ...after }, signal }));
const accountsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'ledger', 'accounts'],
    queryFn: async ({ signal }) => (await call('GET /api/admin/ledger/accounts', { signal })).accounts,
    staleTime: 5_000,
    retryOnMount: false,
  });

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(ledgerQuery(filterOf(new URL(request.url).searchParams))));

const COLUMNS: readonly Column<Row>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatMoment(at)}</time>, fit: true, wide: true },
  {
    id: 'kind',
    header: 'What',
    cell: ({ kind, planName, reason, note }) => (
      <>
        {nameOf(kind)} <span className="data-table__faint">{[planName, refundReason(reason, note)].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { id: 'member', header: 'Member', cell: ({ member, email }) => <MemberLink member={member} email={email} /> },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => (amount === 0 ? '' : formatMoney(amount)), align: 'end', fit: true },
  { id: 'fee', header: 'Fee', cell: ({ fee }) => (fee === 0 ? '' : formatMoney(fee)), align: 'end', fit: true, wide: true },
  { id: 'entries', header: 'Accounts', cell: ({ entries }) => <Entries entries={entries} />, wide: true },
];

/** Debits, then credits: 'Provider cash 59.99, Revenue −59.99'. */
function Entries({ entries }: { entries: Row['entries'] }) {
  return (
    <span className="ledger__entries">
      {[...entries]
        .sort((a, b) => b.amount - a.amount)
        .map(({ account, amount }) => (
          <span key={account} className="ledger__entry">
            {nameOf(account)} <b className={amount < 0 ? 'ledger__credit' : undefined}>{(amount / 100).toFixed(2).replace('-', '−')}</b>
          </span>
        ))}
    </span>
  );
}

/** /admin/ledger: all movements of money and plans, in double entry. Entries are never changed. */
export function Component() {
  useTitle(ROUTES.adminLedger.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(ledgerQuery(filter));
  const rows = pages.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <ListPage
      title="Ledger"
      total={pages.data?.pages.at(-1)}
      download={
        rows.length > 0 ? <ExportButton about="Movements of this list" ask={() => callFile('POST /api/admin/ledger/export', { query: filter })} /> : null
      }
      tools={
        <>
          <ListSearch label="Address or purchase" />
          <UrlSelect label="What" name="kind" all="Everything" options={KINDS} />
          <UrlDay label="From" name="from" />
          <UrlDay label="To" name="to" />
        </>
      }
    >
      <Accounts />
      <PagedTable
        caption="Ledger"
        pages={pages}
        rowsOf={(page) => page.entries}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={({ kind, planName }) => `${nameOf(kind)} ${planName}`}
        empty={
          <EmptyState title={isFiltered(filter) ? 'No entries match' : 'No entries yet'}>
            <p>Every charge, refund and reward is listed here, and every plan that was given, paused or ended.</p>
          </EmptyState>
        }
      />
    </ListPage>
  );
}

/** The balance of each account, and whether the ledger adds up to zero. */
function Accounts() {
  const { data: accounts } = useQuery(accountsQuery());
  const check = useMutation({ mutationFn: () => call('POST /api/admin/ledger/check') });
  const { data: checked } = check;
  return (
    <section className="ledger__accounts" aria-label="Accounts">
      {accounts && accounts.length > 0 ? (
        <dl className="ledger__balances">
          {accounts.map(({ account, balance }) => (
            <div key={account} className="ledger__balance">
              <dt>{nameOf(account)}</dt>
              <dd>{formatMoney(balance)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Button busy={check.isPending} busyText="Checking" onClick={() => check.mutate()}>
        Check the ledger
      </Button>
      <div role="status" className="ledger__checked">
        {check.isError ? <Alert kind="warning">{messageOf(check.error)}</Alert> : null}
        {checked?.wrong.length === 0 ? (
          <Alert kind="success">{`${plural(checked.transactions, 'movement')} checked: the ledger, the plans and the payment providers agree.`}</Alert>
        ) : null}
        {checked && checked.wrong.length > 0 ? (
          <Alert kind="harm">
            {`${plural(checked.wrong.length, 'fault')}: `}
            {checked.wrong.map(({ error }) => error).join('; ')}
          </Alert>
        ) : null}
      </div>
    </section>
  );
}
