import '@/features/catalogue/books.css';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryString } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { BooksQuery, Category } from '@/api/types';
import { useSignedIn } from '@/api/session';
import { BookHit } from '@/features/catalogue/components/BookHit';
import { SearchField } from '@/features/catalogue/components/SearchField';
import { booksQuery, readBooksQuery } from '@/features/catalogue/queries';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { settleFirst } from '@/lib/start';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { BookGrid } from '@/ui/BookCard';
import { Button, LinkButton } from '@/ui/Button';
import { Checkbox } from '@/ui/Check';
import { Icon } from '@/ui/Icon';
import { Segmented } from '@/ui/Segmented';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = ({ request }: LoaderFunctionArgs) =>
  settleFirst(queryClient.infiniteQuery(booksQuery(readBooksQuery(new URL(request.url).searchParams))));

type Segment = 'new' | 'trending' | 'ab' | 'audio' | 'video';

const SEGMENTS: readonly { value: Segment; label: string }[] = [
  { value: 'new', label: 'New' },
  { value: 'trending', label: 'Trending' },
  { value: 'ab', label: 'A–Z' },
  { value: 'audio', label: 'Audio' },
  { value: 'video', label: 'Video' },
];

const addressOf = (query: BooksQuery) => {
  const search = queryString(query);
  return search ? `${paths.books}?${search}` : paths.books;
};

/** `query` without some of its keys. */
function without(query: BooksQuery, ...keys: (keyof BooksQuery)[]): BooksQuery {
  return Object.fromEntries(Object.entries(query).filter(([key]) => !keys.includes(key as keyof BooksQuery)));
}

export function Component() {
  useSignedIn(); // the list is another one after a sign-in
  const [params, setParams] = useSearchParams();
  const query = readBooksQuery(params);
  const list = useInfiniteQuery({ ...booksQuery(query), placeholderData: keepPreviousData });

  const go = (next: BooksQuery, replace = false) => setParams(queryString(next), { preventScrollReset: true, replace });
  const first = list.data?.pages[0];
  const books = list.data?.pages.flatMap((page) => page.books) ?? [];
  const categories = first?.categories ?? [];
  const category = categories.find(({ subid, id }) => query.category === subid || query.category === String(id));
  const title = category ? category.name : 'Book Summaries';
  useTitle(query.q ? `“${query.q}” in ${title}` : title);

  const sort: Segment = query.sort === 'newest' ? 'new' : (query.sort ?? 'new');
  const changing = list.isPlaceholderData;

  return (
    <div className="page books">
      <div className="books__head">
        <h1 className="page__title">{title}</h1>
        <SearchField
          value={query.q ?? ''}
          onSearch={(q) => {
            if (q !== (query.q ?? '')) go(q ? { ...without(query, 'sort'), q } : without(query, 'q'), Boolean(query.q) && q !== '');
          }}
        />
      </div>

      <CategoryChips categories={categories} query={query} loading={list.isPending} />

      <div className="books__tools">
        {query.q ? (
          // A search has one order: what fits best comes first.
          <p className="books__order">Best match first</p>
        ) : (
          <Segmented legend="Sort by" name="sort" options={SEGMENTS} value={sort} onChange={(value) => go({ ...query, sort: value })} />
        )}
        <div className="books__only">
          <Checkbox
            label="Audio only"
            checked={query.audio ?? false}
            onChange={(event) => go(event.target.checked ? { ...query, audio: true } : without(query, 'audio'))}
          />
          <Checkbox
            label="Video only"
            checked={query.video ?? false}
            onChange={(event) => go(event.target.checked ? { ...query, video: true } : without(query, 'video'))}
          />
        </div>
      </div>

      <Narrowed query={query} books={books} />

      <p className="books__count" role="status">
        {first && !changing ? countOf(first.total, books.length, query.q) : ' '}
      </p>

      {list.isPending ? (
        <SkeletonBooks count={10} label="Loading summaries" />
      ) : list.isError && books.length === 0 ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : books.length === 0 ? (
        <Nothing query={query} />
      ) : (
        <div className={changing ? 'books__list books__list--changing' : 'books__list'} aria-busy={changing}>
          <h2 className="visually-hidden">{query.q ? 'Results' : 'Summaries'}</h2>
          {query.q ? (
            <ul className="books__hits">
              {books.map((book, i) => (
                <li key={book.id}>
                  <BookHit book={book} eager={i < 4} />
                </li>
              ))}
            </ul>
          ) : (
            <BookGrid books={books} eager={5} />
          )}
          {list.hasNextPage ? (
            <div className="books__more">
              <Button large busy={list.isFetchingNextPage} busyText="Loading" onClick={() => void list.fetchNextPage()}>
                Load more
              </Button>
              {list.isFetchNextPageError ? <ErrorState error={list.error} /> : null}
            </div>
          ) : null}
        </div>
      )}
    </div>
  );
}

function countOf(total: number | null, shown: number, q: string | undefined): string {
  const count = plural(total ?? shown, 'summary', 'summaries');
  return q ? `${count} for “${q}”` : count;
}

function CategoryChips({ categories, query, loading }: { categories: readonly Category[]; query: BooksQuery; loading: boolean }) {
  if (loading) return <div className="books__chips books__chips--empty" aria-hidden="true" />;
  const here = (category: Category) => query.category === category.subid || query.category === String(category.id);
  return (
    <nav className="books__chips" aria-label="Categories">
      <ul className="chips chips--scroll">
        <li>
          <Link className="chip chip--plain" to={addressOf(without(query, 'category'))} preventScrollReset aria-current={query.category ? undefined : 'true'}>
            All
          </Link>
        </li>
        {categories.map((category) => (
          <li key={category.id}>
            <Link
              className={`chip ${hueClass(category.hue)}`}
              to={addressOf({ ...query, category: category.subid })}
              preventScrollReset
              aria-current={here(category) ? 'true' : undefined}
            >
              {category.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What narrows the list beyond the controls in sight, and a way out of each. */
function Narrowed({ query, books }: { query: BooksQuery; books: readonly { author: string; authorSlug: string }[] }) {
  const { author, tag, collection } = query;
  if (!author && !tag && !collection) return null;
  const name = books.find(({ authorSlug }) => authorSlug === author)?.author ?? author;
  const drop = (key: 'author' | 'tag' | 'collection', text: string) => (
    <Link className="chip chip--plain" to={addressOf(without(query, key))} preventScrollReset aria-label={`Remove: ${text}`}>
      {text}
      <Icon name="close" />
    </Link>
  );
  return (
    <div className="chips books__narrowed">
      {author ? drop('author', `By ${name ?? ''}`) : null}
      {tag ? drop('tag', `Tagged ${tag}`) : null}
      {collection ? (
        <>
          <Link className="link link--more" to="/collections">
            Back to collections
          </Link>
          {drop('collection', 'One collection')}
        </>
      ) : null}
    </div>
  );
}

function Nothing({ query }: { query: BooksQuery }) {
  return (
    <EmptyState
      title={query.q ? `Nothing found for “${query.q}”` : 'No summaries here yet'}
      actions={<LinkButton to={paths.books}>Show all summaries</LinkButton>}
    >
      <p>{query.q ? 'Try fewer or other words; small slips of the pen are forgiven.' : 'Try another category, or take a filter away.'}</p>
    </EmptyState>
  );
}
