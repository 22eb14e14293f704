import '@/features/catalogue/visuals/visuals.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { Carousel } from '@/features/catalogue/visuals/components/Carousel';
import { VisualsError } from '@/features/catalogue/visuals/components/VisualsError';
import { bookVisualsQuery } from '@/features/catalogue/visuals/queries';
import { withErrorMessage } from '@/lib/errorMessage';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { hueClass } from '@/lib/hue';
import { useTitle } from '@/lib/useTitle';
import { paths, signupFor } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState } from '@/ui/State';

const UPGRADE = 'With a plan, you can see the key ideas of every book.';

export const loader = ({ params }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(bookVisualsQuery(params['id'] ?? '')));

/** /visuals/{id}: the key ideas of one book, one at a time (catalogue.visual-carousel). */
export function Component() {
  const { id = '' } = useParams();
  const signedIn = useSignedIn();
  const { data, error, isError, refetch } = useQuery(bookVisualsQuery(id));
  useTitle(data ? `${data.book.title}: key ideas` : undefined);
  if (isNotFound(error)) throw error;
  // Key ideas require a plan unless the book is free (catalogue.visual-rights).
  if (data && !data.isPaid)
    return signedIn ? (
      <Navigate to={paths.try} state={withErrorMessage(UPGRADE, paths.visualsOf(id))} replace />
    ) : (
      <Navigate to={signupFor(paths.visualsOf(id))} replace />
    );
  return (
    <div className={`page viewer ${hueClass(data?.book.categories[0]?.hue ?? 60)}`}>
      <BackLink className="viewer__back" to={paths.visuals}>
        Back to Visuals
      </BackLink>
      {data ? (
        <>
          <div className="viewer__head">
            <h1 className="viewer__title">{data.book.title}</h1>
            <p className="viewer__author">by {data.book.author}</p>
          </div>
          {data.visuals.length > 0 ? (
            <Carousel key={data.book.id} book={data.book} visuals={data.visuals} onStale={() => void refetch()} />
          ) : (
            <EmptyState title="No Visual Summaries Yet" actions={<LinkButton to={paths.book(data.book.subid)}>Read the summary</LinkButton>}>
              <p>The key ideas of this book have not been drawn yet.</p>
            </EmptyState>
          )}
        </>
      ) : isError ? (
        <VisualsError error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading the key ideas</span>
      <div className="viewer__head" aria-hidden="true">
        <SkeletonText width={40} />
      </div>
      <div className="carousel" aria-hidden="true">
        <div className="carousel__stage">
          <span className="skeleton carousel__skeleton" />
          <div className="carousel__text">
            {[50, 96, 92, 97, 60].map((width) => (
              <SkeletonText key={width} width={width} />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
