import '@/features/catalogue/books.css';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryString } from '@/api/client';
import { isNotFound, messageOf } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import type { BooksQuery, Category } from '@/api/types';
import { loadList } from '@/shared/catalogue/pagedLists';
import { BookList, omitKeys } from '@/features/catalogue/components/BookList';
import { SearchField } from '@/features/catalogue/components/SearchField';
import { booksQuery, readBooksQuery, refuseUnreadable } from '@/features/catalogue/queries';
import { isSessionTopic } from '@/shared/study/session';
import { hueClass } from '@/lib/hue';
import { useScrollToCurrent } from '@/lib/useScrollToCurrent';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { Icon } from '@/ui/Icon';
import { NotFound } from '@/ui/NotFound';

export const loader = ({ request }: LoaderFunctionArgs) => {
  const { searchParams } = new URL(request.url);
  refuseUnreadable(searchParams);
  return loadList(booksQuery(readBooksQuery(searchParams)));
};

const addressOf = (query: BooksQuery) => {
  const search = queryString(query);
  return search ? `${paths.books}?${search}` : paths.books;
};

export function Component() {
  const signedIn = useSignedIn(); // re-renders after a sign-in, which changes the list
  const [params, setParams] = useSearchParams();
  const query = readBooksQuery(params);
  const list = useInfiniteQuery({ ...booksQuery(query), placeholderData: keepPreviousData });

  const go = (next: BooksQuery, replace = false) => setParams(queryString(next), { preventScrollReset: true, replace });
  const first = list.data?.pages[0];
  const books = list.data?.pages.flatMap((page) => page.books) ?? [];
  const categories = first?.categories ?? [];
  const category = categories.find(({ subid, id }) => query.category === subid || query.category === String(id));
  const title = category ? category.name : ROUTES.books.title;
  const missing = isNotFound(list.error);
  useTitle(missing ? undefined : query.q ? `“${query.q}” in ${title}` : title);
  if (missing) return <NotFound what={messageOf(list.error)} to={paths.books} label="Show all summaries" />;

  return (
    <div className="page books">
      <div className="books__head">
        <div>
          <h1 className="page__title">{title}</h1>
          <p className="books__ways">
            <Link className="link" to={paths.collections}>
              Collections
            </Link>
            <Link className="link" to={paths.authors}>
              Authors
            </Link>
            <Link className="link" to={paths.ideas}>
              {ROUTES.ideas.title}
            </Link>
          </p>
        </div>
        <SearchField value={query.q ?? ''} onSearch={(q) => go(q ? { ...omitKeys(query, 'sort'), q } : omitKeys(query, 'q'), Boolean(query.q) && q !== '')} />
      </div>

      <CategoryChips categories={categories} query={query} loading={list.isPending} />

      <BookList query={query} onChange={(next) => go(next)} heading={query.q ? 'Results' : 'Summaries'}>
        <ActiveFilters query={query} books={books} />
        {signedIn && query.q && (list.isPending || books.length > 0) ? <SessionLink topic={query.q} /> : null}
      </BookList>
    </div>
  );
}

/** How long the session of a search is, in minutes. */
const SEARCH_MINUTES = 15;

/** A session on what was searched for (study.session-links). */
function SessionLink({ topic }: { topic: string }) {
  if (!isSessionTopic(topic)) return null;
  return (
    <p className="books__session">
      <Link className="link link--more" to={paths.sessionOf(SEARCH_MINUTES, topic)}>
        <Icon name="clock" />
        {`Read about “${topic}” in ${SEARCH_MINUTES} minutes`}
      </Link>
    </p>
  );
}

/** Widths of the skeleton chips, in rem: about as wide as category names. */
const CHIPS = [3, 6.5, 8, 5.5, 7.5, 6, 9, 5, 7, 8.5, 6, 7.5, 5.5, 8, 6.5, 7];

function CategoryChips({ categories, query, loading }: { categories: readonly Category[]; query: BooksQuery; loading: boolean }) {
  const row = useScrollToCurrent<HTMLUListElement>(query.category, loading);
  if (loading) {
    return (
      <div className="books__chips books__chips--empty" aria-hidden="true">
        <div className="chips chips--scroll">
          {CHIPS.map((width, i) => (
            <span key={i} className="skeleton chip chip--empty" style={{ width: `${width}rem` }} />
          ))}
        </div>
      </div>
    );
  }
  const here = (category: Category) => query.category === category.subid || query.category === String(category.id);
  return (
    <nav className="books__chips" aria-label="Categories">
      <ul className="chips chips--scroll" ref={row}>
        <li>
          <Link className="chip chip--plain" to={addressOf(omitKeys(query, 'category'))} preventScrollReset aria-current={query.category ? undefined : 'true'}>
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

/** The URL's filters that have no control on the page, each with a link that removes it. */
function ActiveFilters({ query, books }: { query: BooksQuery; books: readonly { author: string; authorSlug: string }[] }) {
  const { author, tag, collection } = query;
  if (!author && !tag && !collection) return null;
  const name = books.find(({ authorSlug }) => authorSlug === author)?.author ?? author;
  const drop = (key: 'author' | 'tag' | 'collection', text: string) => (
    <Link className="chip chip--plain" to={addressOf(omitKeys(query, key))} preventScrollReset aria-label={`Remove: ${text}`}>
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
          <BackLink to={paths.collections}>Back to collections</BackLink>
          {drop('collection', 'One collection')}
        </>
      ) : null}
    </div>
  );
}
