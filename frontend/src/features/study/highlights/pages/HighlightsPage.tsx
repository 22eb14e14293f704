import '@/features/study/highlights/highlightsPage.css';
import { useQuery } from '@tanstack/react-query';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { accountQuery, currentMember } from '@/shared/session/account';
import type { Highlights, loadStudy } from '@/features/study/highlights/components/Highlights';
import { HighlightsSkeleton } from '@/features/study/highlights/components/HighlightsSkeleton';
import { chunkOf, useChunk } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { ErrorState } from '@/ui/State';

interface HighlightsModule {
  Highlights: typeof Highlights;
  loadStudy: typeof loadStudy;
}

const Failed = () => (
  <div className="page highlights">
    <h1 className="page__title">Highlights</h1>
    <ChunkLoadError />
  </div>
);

/** The store and the list, apart from the page's head and skeleton. */
const highlightsChunk = chunkOf<HighlightsModule>(() => import(/* webpackChunkName: "highlights-page" */ '@/features/study/highlights/components/Highlights'), {
  Highlights: Failed,
  loadStudy: () => Promise.resolve(null),
});

export const loader = async () => (await highlightsChunk.load()).loadStudy();

/** /highlights: all highlights of a member, with search and filters (study.highlights-page). */
export function Component() {
  useTitle(ROUTES.highlights.title);
  const account = useQuery(accountQuery());
  const member = account.data?.id ?? currentMember();
  const loaded = useChunk(highlightsChunk);
  if (member !== null && loaded) return <loaded.Highlights key={member} member={member} />;
  return (
    <div className="page highlights">
      <h1 className="page__title">Highlights</h1>
      {account.isError && member === null ? <ErrorState error={account.error} onRetry={() => void account.refetch()} /> : <HighlightsSkeleton />}
    </div>
  );
}
