import '@/features/catalogue/books.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { homeQuery } from '@/shared/catalogue/home';
import { Reason } from '@/features/catalogue/components/Reason';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BookGrid } from '@/ui/BookCard';
import { SkeletonBooks } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => settleBeforeFirstRender(queryClient.query(homeQuery()));

/** /recommendations: all recommendations (home shows the first ones), each with its reason. */
export function Component() {
  useTitle(ROUTES.recommendations.title);
  const { data, error, refetch } = useQuery(homeQuery());
  return (
    <div className="page recommendations">
      <h1 className="page__title">{ROUTES.recommendations.title}</h1>
      <p className="page__lead">
        Based on the categories you chose, leaving out what you have started or finished.{' '}
        <Link to={paths.chooseCategories('edit')}>Change your categories</Link>
      </p>
      {data ? (
        <>
          <h2 className="visually-hidden">Summaries</h2>
          <BookGrid books={data.recommendations} eager={8} note={(book) => <Reason book={book} chosen={data.user?.recommends ?? []} />} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonBooks count={10} className="book-grid" />
      )}
    </div>
  );
}
