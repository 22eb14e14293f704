import '@/features/catalogue/books.css';
import '@/features/catalogue/discovery.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryString } from '@/api/client';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { loadList } from '@/shared/catalogue/pagedLists';
import { BookList, CHOSEN_SEGMENTS, omitKeys } from '@/features/catalogue/components/BookList';
import { booksQuery, collectionQuery, readBooksQuery, refuseUnreadable } from '@/features/catalogue/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { hueClass } from '@/lib/hue';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { NotFound } from '@/ui/NotFound';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

/** The list query of a collection, which the server identifies by number. */
const queryOf = (id: string, params: URLSearchParams) => ({ ...omitKeys(readBooksQuery(params), 'q'), collection: Number(id) });

export const loader = async ({ request, params }: LoaderFunctionArgs) => {
  const id = params['id'] ?? '';
  const { searchParams } = new URL(request.url);
  refuseUnreadable(searchParams);
  await Promise.all([settleBeforeFirstRender(queryClient.query(collectionQuery(id))), loadList(booksQuery(queryOf(id, searchParams)))]);
  return null;
};

export function Component() {
  useSignedIn();
  const { id = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const { data, error, isPending, refetch } = useQuery(collectionQuery(id));
  const collection = data?.collection;
  const missing = isNotFound(error);
  useTitle(missing ? undefined : (collection?.title ?? ROUTES.collections.title));
  if (missing) return <NotFound what="There is no such collection." to={paths.collections} label="All collections" />;
  if (!collection && !isPending) {
    return (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="page books">
      <div className="collection">
        <div className="collection__text">
          <BackLink className="collection__back" to={paths.collections}>
            Back to collections
          </BackLink>
          <h1 className="page__title">{collection?.title ?? <SkeletonText width={60} />}</h1>
          <p className="page__lead">{collection?.subtitle ?? <SkeletonText />}</p>
          <ul className="chips collection__chips">
            {collection?.categories.map((category) => (
              <li key={category.id}>
                <Link className={`chip ${hueClass(category.hue)}`} to={paths.category(category.subid)}>
                  {category.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
        {collection?.image ? <img className="collection__image" src={collection.image} alt="" width="960" height="480" /> : null}
      </div>
      <BookList
        query={queryOf(id, params)}
        heading="Summaries"
        {...(collection?.isChosen && { segments: CHOSEN_SEGMENTS })}
        onChange={(next) => setParams(queryString(omitKeys(next, 'collection')), { preventScrollReset: true })}
      />
    </div>
  );
}
