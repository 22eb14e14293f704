import '@/features/study/review/review.css';
import { useQuery } from '@tanstack/react-query';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { accountQuery, currentMember } from '@/shared/session/account';
import { CardsSkeleton } from '@/features/study/review/components/CardsSkeleton';
import type { Cards, loadStudy } from '@/features/study/review/components/Cards';
import { chunkOf, useChunk } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { ErrorState } from '@/ui/State';

interface CardsModule {
  Cards: typeof Cards;
  loadStudy: typeof loadStudy;
}

const Failed = () => (
  <div className="page review-cards">
    <h1 className="page__title">{ROUTES.reviewCards.title}</h1>
    <ChunkLoadError />
  </div>
);

/** The store and the cards, apart from the page's head and skeleton. */
const cardsChunk = chunkOf<CardsModule>(() => import(/* webpackChunkName: "review-cards" */ '@/features/study/review/components/Cards'), {
  Cards: Failed,
  loadStudy: () => Promise.resolve(null),
});

export const loader = async () => (await cardsChunk.load()).loadStudy();

/** /review/cards (study.review-screen). */
export function Component() {
  useTitle(ROUTES.reviewCards.title);
  const account = useQuery(accountQuery());
  const member = account.data?.id ?? currentMember();
  const loaded = useChunk(cardsChunk);
  if (member !== null && loaded) return <loaded.Cards key={member} member={member} />;
  return (
    <div className="page review-cards">
      <h1 className="page__title">{ROUTES.reviewCards.title}</h1>
      {account.isError && member === null ? <ErrorState error={account.error} onRetry={() => void account.refetch()} /> : <CardsSkeleton />}
    </div>
  );
}
