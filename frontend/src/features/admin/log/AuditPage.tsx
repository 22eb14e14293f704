import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { RequestOf, ResultOf } from '@/api/types';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { describeAction, describeChanges, describeJson, subjectPath } from '@/features/admin/log/describe';
import { forAdmins } from '@/features/admin/queries';
import { fieldName } from '@/features/admin/words';
import { formatMoment } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/features/admin/paths';
import { LoadMore } from '@/ui/LoadMore';
import { EmptyState } from '@/ui/State';

type Entry = ResultOf<'GET /api/admin/audit'>['entries'][number];
type Filter = Pick<NonNullable<RequestOf<'GET /api/admin/audit'>['query']>, 'q' | 'action'>;

const KINDS = [
  'user',
  'book',
  'author',
  'category',
  'tag',
  'goal',
  'collection',
  'podcast',
  'post',
  'insight',
  'visual',
  'ideaLink',
  'page',
  'message',
  'mail',
  'charge',
  'site',
] as const;
/** 'ideaLink' is 'Idea link'. */
const labelOf = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const OPTIONS = KINDS.map((value) => ({ value, label: labelOf(value) }));

function filterOf(search: URLSearchParams): Filter {
  const q = search.get('q')?.trim();
  const action = KINDS.find((kind) => kind === search.get('of'));
  return { ...(q && { q }), ...(action && { action }) };
}

const auditQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [viewer(), 'admin', 'audit', filter],
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/audit', { query: { ...filter, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    // Sorting and filtering keep the table, and with it the focus, until the new rows are loaded.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(auditQuery(filterOf(new URL(request.url).searchParams))));

/** /admin/audit: who changed what, with old and new values, time and IP. */
export function Component() {
  useTitle(ROUTES.adminAudit.title);
  const [search] = useSearchParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(auditQuery(filter));
  const { data, error, refetch } = pages;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <ListPage
      title="Audit log"
      tools={
        <>
          <ListSearch label="Who or what" />
          <UrlSelect label="About" name="of" all="Everything" options={OPTIONS} />
        </>
      }
    >
      {!data && error ? <PageError error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label="Loading the log" /> : null}
      {data && entries.length === 0 ? <EmptyState title={Object.keys(filter).length > 0 ? 'No changes match' : 'No changes yet'} /> : null}
      {entries.length > 0 ? (
        <ul className="inbox">
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : null}
      <LoadMore list={pages}>Load More</LoadMore>
    </ListPage>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { at, actor, action, subject, changes, address, device } = entry;
  const to = subjectPath(subject);
  return (
    <li className={open ? 'inbox__item inbox__item--open' : 'inbox__item'}>
      <button type="button" className="inbox__row log__row" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className="inbox__who">{actor.name}</span>
        <span className="inbox__start">
          {`${describeAction(action)} `}
          <b>{subject.name}</b>
          {changes.length > 0 ? <span className="data-table__faint">{` ${describeChanges(action, changes)}`}</span> : null}
        </span>
        <time className="inbox__when" dateTime={new Date(at).toISOString()}>
          {formatMoment(at)}
        </time>
      </button>
      <div id={id} className="inbox__message" hidden={!open}>
        <p className="inbox__from">{[actor.kind === 'person' ? null : actor.kind, address, device].filter(Boolean).join(' · ') || 'From the server itself.'}</p>
        {changes.length > 0 ? (
          <dl className="log__changes">
            {changes.map(({ field, from, to }) => (
              <Fragment key={field}>
                <dt>{fieldName(field)}</dt>
                <dd>
                  <del>{describeJson(from)}</del> <ins>{describeJson(to)}</ins>
                </dd>
              </Fragment>
            ))}
          </dl>
        ) : null}
        {to === null ? null : (
          <p>
            <Link className="link" to={to}>
              {`Open ${subject.name}`}
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}
