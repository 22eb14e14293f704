import '@/shared/reader/reader.css';
import '@/features/summaries/summariser.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router';
import { useParams } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { Failed } from '@/features/summaries/components/Failed';
import { SummaryReader } from '@/features/summaries/components/SummaryReader';
import { UnderWay } from '@/features/summaries/components/UnderWay';
import { isUnderWay, summariserMessageOf, summaryQuery } from '@/features/summaries/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = ({ params: { id = '' } }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(summaryQuery(id)));

/** Turning to another key idea is the same visit. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

/** /ai/{id}: a member's summary: its progress, its failure, or its key ideas beside the source. */
export function Component() {
  const { id = '' } = useParams();
  return <SummaryView key={id} id={id} />;
}

function SummaryView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(summaryQuery(id));
  const [watched, setWatched] = useState(false);
  useTitle(data ? data.summary.title : error ? 'Error' : 'Your summary');
  if (isNotFound(error)) throw error;
  // A failed poll ends the polling; a finished summary stays on the page.
  if (error && !(data && !isUnderWay(data.summary))) {
    return (
      <div className="page">
        <ErrorState level={1} error={error} message={summariserMessageOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) {
    return (
      <div className="page page--text" role="status">
        <span className="visually-hidden">Loading the summary</span>
        {[70, 40, 96, 100, 92, 60].map((width) => (
          <SkeletonText key={width} width={width} />
        ))}
      </div>
    );
  }
  const { summary, ideas, text } = data;
  if (isUnderWay(summary)) {
    if (!watched) setWatched(true);
    return <UnderWay summary={summary} id={id} />;
  }
  if (summary.state === 'failed' || ideas === null || text === null || ideas.length === 0) return <Failed summary={summary} />;
  return <SummaryReader summary={summary} ideas={ideas} paragraphs={text} watched={watched} />;
}
