import '@/features/editorial/editorial.css';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { ArticleSkeleton } from '@/features/editorial/components/ArticleSkeleton';
import { EditorialText } from '@/features/editorial/components/EditorialText';
import { sitePageQuery } from '@/features/editorial/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatDate, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ErrorState } from '@/ui/State';

const slugAt = (pathname: string) => pathname.replaceAll('/', '');

export const loader = ({ request }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(sitePageQuery(slugAt(new URL(request.url).pathname))));

/** /about, /terms and /privacy. */
export function Component() {
  const slug = slugAt(useLocation().pathname);
  const { data, error, isError, refetch } = useQuery(sitePageQuery(slug));
  useTitle(data?.page.title);
  if (isNotFound(error)) throw error;
  if (!data) {
    return isError ? (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    ) : (
      <ArticleSkeleton label="Loading the page" />
    );
  }
  const { page } = data;
  return (
    <article className="page post site-page">
      <header className="post__head">
        <h1 className="post__title">{page.title}</h1>
        <p className="post__meta">
          {'Last updated '}
          <time dateTime={isoDate(page.revisedDate)}>{formatDate(page.revisedDate)}</time>
        </p>
      </header>
      <EditorialText html={page.text} />
    </article>
  );
}
