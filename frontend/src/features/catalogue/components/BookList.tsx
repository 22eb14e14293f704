import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { BooksQuery } from '@/api/types';
import { areNear, nearNotice } from '@/shared/catalogue/nearHits';
import { useRememberPages } from '@/shared/catalogue/pagedLists';
import { BookHit } from '@/features/catalogue/components/BookHit';
import { booksQuery } from '@/features/catalogue/queries';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { BookGrid } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { Checkbox } from '@/ui/Check';
import { LoadMore } from '@/ui/LoadMore';
import { Segmented } from '@/ui/Segmented';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

export type Segment = 'new' | 'trending' | 'ab' | 'audio' | 'video' | 'chosen';

const SEGMENTS: readonly { value: Segment; label: string }[] = [
  { value: 'new', label: 'New' },
  { value: 'trending', label: 'Trending' },
  { value: 'ab', label: 'A–Z' },
  { value: 'audio', label: 'Audio' },
  { value: 'video', label: 'Video' },
];

/** The sort orders of a curated collection; the first is the default. */
export const CHOSEN_SEGMENTS: typeof SEGMENTS = [{ value: 'chosen', label: 'Editors’ order' }, ...SEGMENTS];

/** `query` without some of its keys. */
export function omitKeys(query: BooksQuery, ...keys: (keyof BooksQuery)[]): BooksQuery {
  return Object.fromEntries(Object.entries(query).filter(([key]) => !keys.includes(key as keyof BooksQuery)));
}

interface Props {
  query: BooksQuery;
  /** Called with the query that a control selects. */
  onChange: (next: BooksQuery) => void;
  /** The sort orders with their labels; the first is the default. */
  segments?: readonly { value: Segment; label: string }[];
  /** Without controls, for a short list. */
  plain?: boolean;
  /** Content between the controls and the list. */
  children?: ReactNode;
  /** A visually hidden heading, for pages without a heading above the list. */
  heading?: string;
}

/** A paginated list of books, with sort order and filters; the number of loaded pages is stored. */
export function BookList({ query, onChange, segments = SEGMENTS, plain = false, children, heading }: Props) {
  const options = booksQuery(query);
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  const first = list.data?.pages[0];
  const books = list.data?.pages.flatMap((page) => page.books) ?? [];
  const coming = books.filter(({ comingSoon }) => comingSoon).length;
  const changing = list.isPlaceholderData;
  // A list whose last page is loaded is counted directly: as many as it shows (`catalogue.counted-results`).
  const isWhole = !list.hasNextPage;
  useRememberPages(options.queryKey, list);

  // A control shows its choice at once; the URL follows when the list is loaded.
  const shown = JSON.stringify(query);
  const [chosen, setChosen] = useState({ over: shown, query });
  const wanted = chosen.over === shown ? chosen.query : query;
  const choose = (next: BooksQuery) => {
    setChosen({ over: shown, query: next });
    onChange(next);
  };

  const sort: Segment = wanted.sort === 'newest' ? 'new' : (wanted.sort ?? segments[0]?.value ?? 'new');
  return (
    <>
      {plain ? null : (
        <div className="books__tools">
          {query.q ? (
            // A search has only one order: by relevance.
            <p className="books__order">Best match first</p>
          ) : (
            <Segmented legend="Sort by" name="sort" options={segments} value={sort} onChange={(value) => choose({ ...wanted, sort: value })} />
          )}
          <div className="books__only">
            <Checkbox
              label="With audio"
              checked={(wanted.audio ?? false) || sort === 'audio'}
              disabled={sort === 'audio'}
              onChange={(event) => choose(event.target.checked ? { ...wanted, audio: true } : omitKeys(wanted, 'audio'))}
            />
            <Checkbox
              label="With video"
              checked={(wanted.video ?? false) || sort === 'video'}
              disabled={sort === 'video'}
              onChange={(event) => choose(event.target.checked ? { ...wanted, video: true } : omitKeys(wanted, 'video'))}
            />
          </div>
        </div>
      )}

      {children}

      {plain ? null : (
        <p className="books__count" role="status">
          {first && !changing
            ? areNear(books)
              ? nearNotice(query.q ?? '')
              : listWords(isWhole ? books.length : (first.total ?? null), { ...query, sort }, isWhole ? coming : 0)
            : ' '}
        </p>
      )}
      {first?.didYouMean && !changing ? <SearchOffer text={first.didYouMean} /> : null}

      {list.isPending ? (
        <SkeletonBooks count={10} label="Loading summaries" />
      ) : list.isError && books.length === 0 ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : books.length === 0 ? (
        <NoResults query={query} />
      ) : (
        <div className={changing ? 'books__list books__list--changing' : 'books__list'} aria-busy={changing}>
          {heading ? <h2 className="visually-hidden">{heading}</h2> : null}
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
          <LoadMore list={list} large {...(first?.total != null && { remaining: first.total - (books.length - coming) })} />
        </div>
      )}
    </>
  );
}

/** The search that is offered instead, with the same filters. */
function SearchOffer({ text }: { text: string }) {
  const [params] = useSearchParams();
  const offered = new URLSearchParams(params);
  offered.set('q', text);
  return (
    <p className="books__offer">
      Did you mean{' '}
      <Link className="link" to={{ search: offered.toString() }}>
        {text}
      </Link>
      ?
    </p>
  );
}

/**
 * What the list contains and in which order, with the total if known: long lists are not counted. `coming` of them are
 * coming soon. The server uses the same words (`ListWords`).
 */
export function listWords(total: number | null, { q, sort, audio = false, video = false }: BooksQuery, coming = 0): string {
  const shown = [(audio || sort === 'audio') && 'audio', (video || sort === 'video') && 'video'].filter(Boolean).join(' and ');
  const what = `${total === null ? 'Summaries' : plural(total, 'summary', 'summaries')}${shown && ` with ${shown}`}`;
  const soon = coming > 0 ? `, ${coming} coming soon` : '';
  if (q) return `${what} for “${q}”${soon}`;
  return `${what}, ${sort === 'trending' ? 'most read recently first' : sort === 'ab' ? 'from A to Z' : sort === 'chosen' ? 'in our editors’ order' : 'newest first'}${soon}`;
}

function NoResults({ query }: { query: BooksQuery }) {
  return (
    <EmptyState
      title={query.q ? `Nothing found for “${query.q}”` : 'No summaries here yet'}
      actions={
        <>
          {query.q ? <LinkButton to={paths.suggestTitle(query.q)}>Suggest this book</LinkButton> : null}
          <LinkButton kind={query.q ? 'quiet' : 'secondary'} to={paths.books}>
            Show all summaries
          </LinkButton>
        </>
      }
    >
      <p>{query.q ? 'Try fewer or different words; small typos are fine.' : 'Try another category, or remove a filter.'}</p>
    </EmptyState>
  );
}
