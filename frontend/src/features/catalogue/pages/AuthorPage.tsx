import '@/features/catalogue/books.css';
import '@/features/catalogue/discovery.css';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { loadList } from '@/shared/catalogue/pagedLists';
import { BookList } from '@/features/catalogue/components/BookList';
import { authorQuery, booksQuery } from '@/features/catalogue/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { NotFound } from '@/ui/NotFound';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = async ({ params }: LoaderFunctionArgs) => {
  const author = params['slug'] ?? '';
  await Promise.all([settleBeforeFirstRender(queryClient.query(authorQuery(author))), loadList(booksQuery({ author }))]);
  return null;
};

export function Component() {
  useSignedIn();
  const { slug = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(authorQuery(slug));
  const author = data?.author;
  const missing = isNotFound(error);
  useTitle(missing ? undefined : (author?.name ?? ROUTES.authors.title));
  if (missing) return <NotFound what="There is no such author." to={paths.authors} label="All authors" />;
  if (!author && !isPending) {
    return (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="page">
      <BackLink className="collection__back" to={paths.authors}>
        Book Authors
      </BackLink>
      <h1 className="page__title author__name">{author?.name ?? <SkeletonText width={50} />}</h1>
      {author ? author.description ? <p className="author__text">{author.description}</p> : null : <SkeletonText width={90} />}
      <section className="section" aria-labelledby="books-title">
        <h2 className="section__title landing__heading" id="books-title">
          Summaries
        </h2>
        <BookList query={{ author: slug }} plain onChange={() => undefined} />
      </section>
    </div>
  );
}
