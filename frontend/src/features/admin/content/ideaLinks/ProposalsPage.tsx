import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryString } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { ListPage } from '@/features/admin/components/ListPage';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { bookControl } from '@/features/admin/content/controls';
import { DismissButton } from '@/features/admin/content/ideaLinks/DismissButton';
import { IdeaOfBook } from '@/features/admin/content/ideaLinks/IdeaOfBook';
import { proposedPair } from '@/features/admin/content/ideaLinks/forms';
import { pairKey, pairName, proposalsQuery } from '@/features/admin/content/ideaLinks/queries';
import type { Proposal } from '@/features/admin/content/ideaLinks/queries';
import { linkColumn } from '@/features/admin/content/lists';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { BackLink } from '@/ui/BackLink';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';
import type { FieldDef } from '@/ui/records/fields';

const bookOf = (search: URLSearchParams): string => search.get('book')?.trim() ?? '';

export const loader = ({ request }: LoaderFunctionArgs) => forStaff(() => queryClient.query(proposalsQuery(bookOf(new URL(request.url).searchParams))));

const BOOK: FieldDef = { id: 'book', label: 'Book', type: 'text' };
const OF_BOOKS = 'Key ideas of the books with the fewest links, each with a similar one of another book.';
const OF_BOOK = 'Key ideas of this book, each with a similar one of another book.';

/** 0.64 → '64%' */
const likenessText = ({ likeness }: Proposal): string => `${Math.round(likeness * 100)}%`;

const columns = (onRemove: (proposal: Proposal) => void): readonly Column<Proposal>[] => [
  {
    id: 'from',
    header: 'First idea',
    cell: (proposal) => (
      <>
        <IdeaOfBook idea={proposal.from} />
        <span className="data-table__under">{[`${likenessText(proposal)} alike`, ...proposal.terms].join(' · ')}</span>
      </>
    ),
  },
  { id: 'to', header: 'Second idea', cell: ({ to }) => <IdeaOfBook idea={to} /> },
  { id: 'terms', header: 'Words in both', cell: ({ terms }) => terms.join(', '), wide: true },
  { id: 'likeness', header: 'Likeness', cell: likenessText, align: 'end', fit: true, wide: true },
  linkColumn<Proposal>('Write the link', (proposal) => `${paths.adminIdeaLinkAdd}?${queryString(proposedPair(proposal))}`, pairName),
  {
    id: 'dismiss',
    header: 'Not related',
    cell: (proposal) => <DismissButton proposal={proposal} onRemove={() => onRemove(proposal)} />,
    fit: true,
    actions: true,
  },
];

/** /admin/idea-link-proposals?book=walden: pairs of similar ideas without a link; without a book, those of the books with the fewest links. */
export function Component() {
  useTitle(ROUTES.adminIdeaLinkProposals.title);
  const [search, setSearch] = useSearchParams();
  const book = bookOf(search);
  const query = proposalsQuery(book);
  const { data, error, isFetching, refetch } = useQuery(query);
  const rows = data ?? [];
  const onRemove = (proposal: Proposal) => {
    const left = queryClient.setQueryData(query.queryKey, (before) => before?.filter((one) => pairKey(one) !== pairKey(proposal)));
    // There may be more than the server proposes at once.
    if (left?.length === 0) void refetch();
  };
  return (
    <>
      <BackLink to={paths.adminIdeaLinks}>{ROUTES.adminIdeaLinks.title}</BackLink>
      <ListPage
        title={ROUTES.adminIdeaLinkProposals.title}
        tools={
          <div className="idea-proposals__book">
            {bookControl({
              field: BOOK,
              value: book,
              values: {},
              error: null,
              onChange: (chosen) => setSearch(typeof chosen === 'string' && chosen !== '' ? { book: chosen } : {}, { replace: true }),
            })}
          </div>
        }
      >
        <p className="admin__note idea-proposals__note">{`${book === '' ? OF_BOOKS : OF_BOOK} Readers see nothing of a proposal until you have written and published the link.`}</p>
        {rows.length > 0 ? (
          <DataTable caption={ROUTES.adminIdeaLinkProposals.title} columns={columns(onRemove)} rows={rows} keyOf={pairKey} nameOf={pairName} />
        ) : isFetching ? (
          <RowsSkeleton label="Loading the proposals" />
        ) : error ? (
          <PageError error={error} onRetry={() => void refetch()} />
        ) : (
          <EmptyState
            title={book === '' ? 'No proposals' : 'No proposals for this book'}
            actions={
              <LinkButton kind="primary" to={paths.adminIdeaLinkAdd}>
                {ROUTES.adminIdeaLinkAdd.title}
              </LinkButton>
            }
          >
            <p>No more ideas without a link are similar enough. You can still link two ideas yourself.</p>
          </EmptyState>
        )}
      </ListPage>
    </>
  );
}
