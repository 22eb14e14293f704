import '@/features/study/review/review.css';
import { useQuery } from '@tanstack/react-query';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { accountQuery, currentMember } from '@/shared/session/account';
import { ReviewHead, ReviewSkeleton } from '@/features/study/review/components/ReviewSkeleton';
import type { Review, loadStudy } from '@/features/study/review/components/Review';
import { chunkOf, useChunk } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { ErrorState } from '@/ui/State';

interface ReviewModule {
  Review: typeof Review;
  loadStudy: typeof loadStudy;
}

const Failed = () => (
  <div className="page review">
    <ReviewHead />
    <ChunkLoadError />
  </div>
);

/** The store and the cards, apart from the page's head and skeleton. */
const reviewChunk = chunkOf<ReviewModule>(() => import(/* webpackChunkName: "review" */ '@/features/study/review/components/Review'), {
  Review: Failed,
  loadStudy: () => Promise.resolve(null),
});

export const loader = async () => (await reviewChunk.load()).loadStudy();

/** /review (study.review-screen). */
export function Component() {
  useTitle(ROUTES.review.title);
  const account = useQuery(accountQuery());
  const member = account.data?.id ?? currentMember();
  const loaded = useChunk(reviewChunk);
  if (member !== null && loaded) return <loaded.Review key={member} member={member} />;
  return (
    <div className="page review">
      <ReviewHead />
      {account.isError && member === null ? <ErrorState error={account.error} onRetry={() => void account.refetch()} /> : <ReviewSkeleton />}
    </div>
  );
}
