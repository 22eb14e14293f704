import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call, callFile } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { ExportButton } from '@/features/admin/components/ExportButton';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { chosen, given, isFiltered, wordsOf } from '@/features/admin/money/filters';
import { monthsText } from '@/features/admin/money/names';
import { pagedQuery, readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { copyText } from '@/shared/referral/copyText';
import { formatDay, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import { toast } from '@/ui/toast';
import type { Column } from '@/ui/records/DataTable';

export type Code = ResultOf<'GET /api/admin/codes'>['codes'][number];

const STATES = [
  { value: 'free', label: 'Unused' },
  { value: 'redeemed', label: 'Redeemed' },
  { value: 'revoked', label: 'Revoked' },
] as const;
const KINDS = [
  { value: 'admin', label: 'Created here' },
  { value: 'marketplace', label: 'Marketplace' },
  { value: 'gift', label: 'Gifts' },
  { value: 'bulk', label: 'Teams' },
] as const;

const filterOf = (search: URLSearchParams) => given({ q: wordsOf(search), state: chosen(search, 'state', STATES), kind: chosen(search, 'kind', KINDS) });
const codesQuery = (filter: ReturnType<typeof filterOf>) =>
  pagedQuery('codes', filter, (after, signal) => call('GET /api/admin/codes', { query: { ...filter, ...after }, signal }));

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(codesQuery(filterOf(new URL(request.url).searchParams))));

const columns = (revoke: (code: Code) => void): readonly Column<Code>[] => [
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) => (
      <button type="button" className="data-table__copy" aria-label={`Copy ${code}`} onClick={() => void copyText(code, 'Code copied.')}>
        {code}
      </button>
    ),
  },
  { id: 'gives', header: 'Gives', cell: ({ planName, months }) => `${planName}, ${monthsText(months)}` },
  { id: 'kind', header: 'Kind', cell: ({ kind }) => KINDS.find(({ value }) => value === kind)?.label ?? kind, wide: true },
  { id: 'state', header: 'Status', cell: (code) => <CodeState code={code} /> },
  { id: 'createdAt', header: 'Created', cell: ({ createdAt }) => isoDate(createdAt), fit: true, wide: true },
  {
    id: 'revoke',
    header: 'Revoke',
    cell: (code) =>
      code.revokedAt === null ? (
        <Button kind="quiet" aria-label={`Revoke ${code.code}`} onClick={() => revoke(code)}>
          Revoke…
        </Button>
      ) : null,
    fit: true,
  },
];

function CodeState({ code: { redeemedAt, redeemedBy, revokedAt } }: { code: Code }) {
  if (revokedAt !== null) return <span className="badge badge--soon">Revoked</span>;
  if (redeemedAt === null) return <span className="badge badge--free">Unused</span>;
  return (
    <>
      <MemberLink member={redeemedBy} /> <span className="data-table__faint">{formatDay(redeemedAt)}</span>
    </>
  );
}

/** /admin/codes: codes that can be redeemed for a plan. */
export function Component() {
  useTitle(ROUTES.adminCodes.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(codesQuery(filter));
  const [revoking, setRevoking] = useState<Code | null>(null);
  const codes = pages.data?.pages.flatMap((page) => page.codes) ?? [];
  return (
    <ListPage
      title="Codes"
      total={pages.data?.pages.at(-1)}
      add={{ label: ROUTES.adminCodeAdd.title, to: paths.adminCodeAdd }}
      download={codes.length > 0 ? <ExportButton about="Codes of this list" ask={() => callFile('POST /api/admin/codes/export', { query: filter })} /> : null}
      tools={
        <>
          <ListSearch label="Code or address" />
          <UrlSelect label="Status" name="state" all="All statuses" options={STATES} />
          <UrlSelect label="Kind" name="kind" all="All kinds" options={KINDS} />
          <LinkButton to={paths.adminCodeImport}>{ROUTES.adminCodeImport.title}</LinkButton>
        </>
      }
    >
      <PagedTable
        caption="Codes"
        pages={pages}
        rowsOf={(page) => page.codes}
        columns={columns(setRevoking)}
        keyOf={({ id }) => String(id)}
        nameOf={({ code }) => code}
        empty={
          isFiltered(filter) ? (
            <EmptyState title="No codes match" />
          ) : (
            <EmptyState
              title="No codes yet"
              actions={
                <>
                  <LinkButton kind="primary" to={paths.adminCodeAdd}>
                    {ROUTES.adminCodeAdd.title}
                  </LinkButton>
                  <LinkButton to={paths.adminCodeImport}>{ROUTES.adminCodeImport.title}</LinkButton>
                </>
              }
            >
              <p>A code gives a plan to the member who redeems it: gifts, team seats, and codes that you create or import.</p>
            </EmptyState>
          )
        }
      />
      {revoking ? (
        <ActionDialog
          title={`Revoke ${revoking.code}?`}
          button="Revoke the code"
          kind="harm"
          onClose={() => setRevoking(null)}
          submit={async () => {
            await call('POST /api/admin/codes/{id}/revoke', { path: { id: String(revoking.id) } });
            setRevoking(null);
            toast('The code was revoked.');
            await readAgain('codes');
          }}
        >
          <p>{revoking.redeemedAt === null ? 'It can no longer be redeemed.' : 'The plan that it gave ends right away.'} This can’t be undone.</p>
        </ActionDialog>
      ) : null}
    </ListPage>
  );
}

/** The rows of a CSV file of codes that were just made. */
export const csvOf = (codes: readonly Code[]): string[][] => [
  ['Code', 'Plan', 'Months', 'Kind', 'Made', 'Redeemed', 'By', 'Revoked'],
  ...codes.map(({ code, planName, months, kind, createdAt, redeemedAt, redeemedBy, revokedAt }) => [
    code,
    planName,
    months === null ? '' : String(months),
    kind,
    isoDate(createdAt),
    redeemedAt === null ? '' : isoDate(redeemedAt),
    redeemedBy?.email ?? '',
    revokedAt === null ? '' : isoDate(revokedAt),
  ]),
];
