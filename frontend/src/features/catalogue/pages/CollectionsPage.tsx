import '@/features/catalogue/books.css';
import '@/features/catalogue/discovery.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSignedIn } from '@/api/session';
import type { Collection } from '@/api/types';
import { loadList, useRememberPages } from '@/shared/catalogue/pagedLists';
import { collectionsQuery } from '@/features/catalogue/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { LoadMore } from '@/ui/LoadMore';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = () => loadList(collectionsQuery());

export function Component() {
  useSignedIn();
  useTitle(ROUTES.collections.title);
  const options = collectionsQuery();
  const list = useInfiniteQuery(options);
  useRememberPages(options.queryKey, list);
  const { data, error, isPending, refetch } = list;
  const collections = data?.pages.flatMap((page) => page.collections) ?? [];
  return (
    <div className="page">
      <h1 className="page__title">Collections</h1>
      <p className="page__lead">Themed shelves: summaries that speak to each other.</p>
      {isPending ? (
        <CardsSkeleton />
      ) : data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : collections.length === 0 ? (
        <EmptyState title="No collections yet" actions={<LinkButton to={paths.books}>Show all summaries</LinkButton>} />
      ) : (
        <ul className="collections">
          {collections.map((collection, i) => (
            <li key={collection.id}>
              <CollectionCard collection={collection} eager={i < 4} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} large />
    </div>
  );
}

function CollectionCard({ collection, eager }: { collection: Collection; eager: boolean }) {
  return (
    <article className="collection-card">
      {collection.image ? (
        <img className="collection-card__image" src={collection.image} alt="" width="960" height="480" loading={eager ? 'eager' : 'lazy'} decoding="async" />
      ) : null}
      <h2 className="collection-card__title">
        <Link className="collection-card__link" to={paths.collection(collection.id)}>
          {collection.title}
        </Link>
      </h2>
      <p className="collection-card__subtitle">{collection.subtitle}</p>
      <p className="collection-card__categories">{collection.categories.map(({ name }) => name).join(' · ')}</p>
    </article>
  );
}

const CardsSkeleton = () => (
  <div role="status">
    <span className="visually-hidden">Loading collections</span>
    <div className="collections" aria-hidden="true">
      {[0, 1, 2].map((i) => (
        <div key={i}>
          <span className="skeleton collection-card__image" />
          <div className="collection-card__title">
            <SkeletonText width={60} />
          </div>
          <SkeletonText width={90} />
        </div>
      ))}
    </div>
  </div>
);
