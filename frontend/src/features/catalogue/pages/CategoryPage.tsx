import '@/features/catalogue/books.css';
import '@/features/catalogue/discovery.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryString } from '@/api/client';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { loadList } from '@/shared/catalogue/pagedLists';
import { BookList, omitKeys } from '@/features/catalogue/components/BookList';
import { booksQuery, readBooksQuery, refuseUnreadable } from '@/features/catalogue/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { BookGrid } from '@/ui/BookCard';
import { NotFound } from '@/ui/NotFound';
import { SkeletonText } from '@/ui/Skeleton';

/** How many of the most read books are shown above the list. */
const POPULAR = 6;
/** Minimum number of books for a shelf of their own. */
const ENOUGH = 4;

const queryOf = (category: string, params: URLSearchParams) => ({ ...omitKeys(readBooksQuery(params), 'q'), category });
const popularOf = (category: string) => booksQuery({ category, limit: POPULAR, sort: 'trending' });

export const loader = async ({ request, params }: LoaderFunctionArgs) => {
  const category = params['category'] ?? '';
  const { searchParams } = new URL(request.url);
  refuseUnreadable(searchParams);
  await Promise.all([loadList(booksQuery(queryOf(category, searchParams))), settleBeforeFirstRender(queryClient.infiniteQuery(popularOf(category)))]);
  return null;
};

/** A landing page that shows the list of /books with a category filter (catalogue.category-page). */
export function Component() {
  useSignedIn();
  const { category: name = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const query = queryOf(name, params);
  const list = useInfiniteQuery(booksQuery(query));
  const popular = useInfiniteQuery(popularOf(name));
  const categories = (list.data ?? popular.data)?.pages[0]?.categories;
  const category = categories?.find(({ subid, id }) => subid === name || String(id) === name);
  const missing = isNotFound(list.error) || (categories && !category);
  useTitle(missing ? undefined : (category?.name ?? 'Category'));
  if (missing) return <NotFound what="There is no such category." to={paths.books} label="Show all summaries" />;
  const shelf = popular.data?.pages[0]?.books ?? [];
  return (
    <div className="page books">
      <div className={`landing ${category ? hueClass(category.hue) : ''}`}>
        {category?.small_image ? <img className="landing__image" src={category.small_image} alt="" width="240" height="240" /> : null}
        <div>
          <h1 className="page__title">{category?.name ?? <SkeletonText width={60} />}</h1>
          <p className="page__lead">
            {category ? (
              `${plural(category.bookCount, 'summary', 'summaries')} of books on ${category.name.toLowerCase()}: the key ideas of each in ten to fifteen minutes.`
            ) : (
              <SkeletonText />
            )}
          </p>
        </div>
      </div>
      {category && shelf.length >= ENOUGH ? (
        <section className="section" aria-labelledby="popular-title">
          <h2 className="section__title landing__heading" id="popular-title">{`Popular in ${category.name}`}</h2>
          <BookGrid className="book-shelf" books={shelf} eager={6} />
        </section>
      ) : null}
      <section className="section" aria-labelledby="all-title">
        <h2 className="section__title landing__heading" id="all-title">
          {category ? `All of ${category.name}` : 'Summaries'}
        </h2>
        <BookList query={query} onChange={(next) => setParams(queryString(omitKeys(next, 'category')), { preventScrollReset: true })} />
      </section>
      {category && categories ? (
        <nav className="section" aria-labelledby="others-title">
          <h2 className="section__title landing__heading" id="others-title">
            Other categories
          </h2>
          <ul className="chips">
            {categories
              .filter(({ id }) => id !== category.id)
              .map((other) => (
                <li key={other.id}>
                  <Link className={`chip ${hueClass(other.hue)}`} to={paths.category(other.subid)}>
                    {other.name}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
      ) : null}
    </div>
  );
}
