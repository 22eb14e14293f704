import '@/features/summaries/summariser.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { queryClient, viewer } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { loadList } from '@/shared/catalogue/pagedLists';
import { AskForm } from '@/features/summaries/components/AskForm';
import { SummaryList } from '@/features/summaries/components/SummaryList';
import { PLAN_TEXT, invalidateSummaries, isUnderWay, summariesQuery, summaryQuery } from '@/features/summaries/queries';
import { withErrorMessage } from '@/lib/errorMessage';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => (viewer() === 'member' ? settleBeforeFirstRender(queryClient.query(accountQuery()), loadList(summariesQuery(''))) : null);

/** /ai: requests summaries of links, files or texts, and lists the member's. Members without a plan are sent to /pricing (summaries.paid-members). */
export function Component() {
  useTitle(ROUTES.ai.title);
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { data: user, error, refetch } = useQuery({ ...accountQuery(), enabled: signedIn });
  if (signedIn && user && !user.isPaid) return <Navigate to={paths.pricing} state={withErrorMessage(PLAN_TEXT, paths.ai)} replace />;
  return (
    <div className="page page--text">
      <h1 className="page__title">{ROUTES.ai.title}</h1>
      <p className="page__lead">A long read in, its key ideas out. Each one shows you the passage it comes from.</p>
      {signedIn && !user ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <div role="status" className="ask">
            <span className="visually-hidden">Loading</span>
            <SkeletonText width={100} />
            <SkeletonText width={70} />
          </div>
        )
      ) : (
        <AskForm
          key={params.get('url') ?? ''}
          url={params.get('url') ?? ''}
          signedIn={signedIn}
          onAsked={(summary) => {
            if (isUnderWay(summary)) queryClient.setQueryData(summaryQuery(String(summary.id)).queryKey, { summary, ideas: null, text: null });
            void invalidateSummaries();
            void navigate(paths.aiSummary(summary.id));
          }}
          onPlanRequired={(message) => void navigate(paths.pricing, { state: withErrorMessage(message ?? PLAN_TEXT, paths.ai) })}
        />
      )}
      {user?.isPaid ? <SummaryList /> : null}
    </div>
  );
}
