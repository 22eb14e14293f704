import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { deleteColumn } from '@/features/admin/components/deleteColumn';
import { deletionKey } from '@/features/admin/components/deletions';
import { usePendingDeletions } from '@/features/admin/components/pendingDeletions';
import { IdeaOfBook } from '@/features/admin/content/ideaLinks/IdeaOfBook';
import { KINDS, LOST_FILTER, STATES, ideaLinksQuery, linksFilter, pairName } from '@/features/admin/content/ideaLinks/queries';
import type { IdeaLink } from '@/features/admin/content/ideaLinks/queries';
import { linkColumn } from '@/features/admin/content/lists';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

export const loader = ({ request }: LoaderFunctionArgs) =>
  forStaff(() => queryClient.infiniteQuery(ideaLinksQuery(linksFilter(new URL(request.url).searchParams))));

const kindOf = ({ kind }: IdeaLink): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

function StateBadge({ link: { state } }: { link: IdeaLink }) {
  return <span className={state === 'published' ? 'badge badge--free' : 'badge'}>{STATES.find(({ value }) => value === state)?.label ?? state}</span>;
}

const COLUMNS: readonly Column<IdeaLink>[] = [
  { id: 'id', header: 'Id', cell: ({ id }) => id, align: 'end', fit: true },
  {
    id: 'from',
    header: 'First idea',
    cell: (link) => (
      <>
        <IdeaOfBook idea={link.from} to={paths.adminIdeaLinkEdit(link.id)} />
        <span className="data-table__under">
          {kindOf(link)} <StateBadge link={link} />
        </span>
      </>
    ),
  },
  { id: 'kind', header: 'Kind', cell: kindOf, fit: true, wide: true },
  { id: 'to', header: 'Second idea', cell: ({ to }) => <IdeaOfBook idea={to} /> },
  { id: 'state', header: 'Status', cell: (link) => <StateBadge link={link} />, fit: true, wide: true },
  linkColumn<IdeaLink>('Edit', ({ id }) => paths.adminIdeaLinkEdit(id), pairName),
  deleteColumn<IdeaLink>('idea link', pairName),
];

/** /admin/idea-links: links between key ideas of different books. */
export function Component() {
  useTitle(ROUTES.adminIdeaLinks.title);
  const [search] = useSearchParams();
  const filter = linksFilter(search);
  const pages = useInfiniteQuery(ideaLinksQuery(filter));
  const deleting = usePendingDeletions();
  return (
    <ListPage
      title={ROUTES.adminIdeaLinks.title}
      total={pages.data?.pages.at(-1)}
      add={{ label: ROUTES.adminIdeaLinkAdd.title, to: paths.adminIdeaLinkAdd }}
      tools={
        <>
          <ListSearch label="Search idea links" />
          <UrlSelect label="Status" name="state" all="All statuses" options={STATES} />
          <UrlSelect label="Kind" name="kind" all="All kinds" options={KINDS} />
          <UrlSelect label="Headings" name="lost" all="All headings" options={LOST_FILTER} />
          <LinkButton to={paths.adminIdeaLinkProposals}>{ROUTES.adminIdeaLinkProposals.title}</LinkButton>
        </>
      }
    >
      <PagedTable
        caption={ROUTES.adminIdeaLinks.title}
        pages={pages}
        rowsOf={(page) => page.links.filter(({ id }) => !deleting.has(deletionKey('idea link', id)))}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        nameOf={pairName}
        empty={
          Object.keys(filter).length > 0 ? (
            <EmptyState title="No idea links found." />
          ) : (
            <EmptyState
              title="No idea links yet"
              actions={
                <LinkButton kind="primary" to={paths.adminIdeaLinkProposals}>
                  See the proposals
                </LinkButton>
              }
            >
              <p>A link says how a key idea of one book relates to a key idea of another book.</p>
            </EmptyState>
          )
        }
      />
    </ListPage>
  );
}
