import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { BulkBar } from '@/features/admin/books/BulkBar';
import { BOOK_FILES } from '@/features/admin/books/files';
import { LACKING, STATES, booksFilter, booksQuery, choicesQuery, sortOf } from '@/features/admin/books/queries';
import type { BookRow } from '@/features/admin/books/queries';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { PublicationBadge } from '@/features/admin/components/publication';
import { deletionKey, remove } from '@/features/admin/components/deletions';
import { usePendingDeletions } from '@/features/admin/components/pendingDeletions';
import { UrlSelect } from '@/features/admin/components/UrlSelect';
import { forStaff } from '@/features/admin/queries';
import { formatAgo } from '@/lib/ago';
import { useFilterParams } from '@/lib/useFilterParams';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Button } from '@/ui/Button';
import { LoadMore } from '@/ui/LoadMore';
import { Menu } from '@/ui/Menu';
import { EmptyState } from '@/ui/State';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';
import { sortOn } from '@/ui/records/sortOn';

export const loader = ({ request }: LoaderFunctionArgs) =>
  forStaff(() => queryClient.infiniteQuery(booksQuery(booksFilter(new URL(request.url).searchParams))));

const columnsAt = (now: number): readonly Column<BookRow>[] => [
  { id: 'id', header: 'ID', cell: ({ id }) => id, sortable: true, align: 'end', fit: true },
  {
    id: 'title',
    header: 'Title',
    cell: (book) => (
      <>
        <Link className="data-table__title" to={paths.adminBookEdit(book.id)}>
          {`${book.title} by ${book.author}`}
        </Link>
        <span className="data-table__under">
          <BookState book={book} />
        </span>
      </>
    ),
    sortable: true,
  },
  { id: 'state', header: 'Status', cell: (book) => <BookState book={book} />, fit: true, wide: true },
  { id: 'has', header: 'Has', cell: (book) => <span className="data-table__faint">{has(book)}</span>, wide: true },
  {
    id: 'changed',
    header: 'Last change',
    cell: ({ updatedAt, updatedBy }) => `${formatAgo(updatedAt, now)}${updatedBy === null ? '' : ` · ${updatedBy}`}`,
    wide: true,
    fit: true,
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: ({ id, title }) => (
      <span className="data-table__actions">
        <Link className="link" to={paths.adminBookEdit(id)} aria-label={`Edit ${title}`}>
          Edit
        </Link>
        <Menu name={`Files of ${title}`} buttonClass="link" label="Files">
          <ul className="menu__links">
            {BOOK_FILES.map(({ kind, to }) => (
              <li key={kind.label}>
                <Link className="menu__link" to={to(id)}>
                  {kind.label}
                </Link>
              </li>
            ))}
          </ul>
        </Menu>
        <Link className="link" to={paths.adminBookRevisions(id)} aria-label={`Revisions of ${title}`}>
          Revisions
        </Link>
        <Button kind="quiet" aria-label={`Delete ${title}`} onClick={() => remove('book', id, title)}>
          Delete
        </Button>
      </span>
    ),
    fit: true,
    actions: true,
  },
];

const has = ({ hasBody, hasAudio, hasVideo, hasPodcast, hasInfographic, hasKeyIdeas }: BookRow) =>
  [hasBody && 'text', hasAudio && 'audio', hasVideo && 'video', hasPodcast && 'podcast', hasInfographic && 'infographic', hasKeyIdeas && 'visuals']
    .filter(Boolean)
    .join(', ') || 'nothing yet';

function BookState({ book: { published, publishAt, comingSoon, free } }: { book: BookRow }) {
  if (comingSoon && (published || publishAt === null)) {
    return <span className={published ? 'badge badge--free' : 'badge badge--soon'}>Coming soon</span>;
  }
  if (published && free) return <span className="badge badge--free">Free</span>;
  return <PublicationBadge row={{ published, publishAt }} />;
}

/** /admin/books-list: the catalogue, with search, filters and bulk changes. */
export function Component() {
  useTitle(ROUTES.adminBooks.title);
  const [search, change] = useFilterParams();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const filter = booksFilter(search);
  const sort = sortOf(search);
  const pages = useInfiniteQuery(booksQuery(filter));
  const { data: choices } = useQuery(choicesQuery());
  const { data, dataUpdatedAt, error, refetch } = pages;
  const deleting = usePendingDeletions();
  const books = (data?.pages.flatMap((page) => page.books) ?? []).filter(({ id }) => !deleting.has(deletionKey('book', id)));
  const chosenBooks = books.filter(({ id }) => chosen.has(String(id)));
  return (
    <ListPage
      title="Books"
      total={data?.pages.at(-1)}
      add={{ label: ROUTES.adminBookAdd.title, to: paths.adminBookAdd }}
      tools={
        <>
          <ListSearch label="Title, author or id" />
          <UrlSelect label="Status" name="state" all="All statuses" options={STATES} />
          <UrlSelect label="Lacking" name="lacking" all="Any" options={LACKING} />
          <UrlSelect label="Category" name="category" all="All categories" options={choices?.categories ?? []} />
          <UrlSelect
            label="Kind"
            name="kind"
            all="All kinds"
            options={[
              { value: 'free', label: 'Free' },
              { value: 'popular', label: 'Popular' },
            ]}
          />
        </>
      }
    >
      {!data && error ? <PageError error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label="Loading the books" /> : null}
      {data && books.length === 0 ? <EmptyState title="No books found." /> : null}
      {books.length > 0 ? (
        <DataTable
          caption="Books"
          columns={columnsAt(dataUpdatedAt)}
          rows={books}
          keyOf={({ id }) => String(id)}
          nameOf={({ title }) => title}
          sort={sort}
          onSort={(by) => {
            const next = sortOn(sort, by);
            change((params) => {
              params.set('sort', next.by);
              params.set('order', next.descending ? 'desc' : 'asc');
            });
          }}
          chosen={chosen}
          onChoose={setChosen}
        />
      ) : null}
      <LoadMore list={pages}>Load More</LoadMore>
      {chosenBooks.length > 0 ? <BulkBar books={chosenBooks} categories={choices?.categories ?? []} onChoose={setChosen} /> : null}
    </ListPage>
  );
}
