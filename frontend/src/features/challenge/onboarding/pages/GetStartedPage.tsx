import '@/features/challenge/onboarding/onboarding.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { storeChoices, storedChoices } from '@/shared/session/onboardingChoices';
import type { Choices } from '@/shared/session/onboardingChoices';
import { Counter } from '@/features/challenge/onboarding/components/Counter';
import { CategoryStep, GoalStep, ProofStep, ThumbStep, WelcomeStep } from '@/features/challenge/onboarding/components/steps';
import { fittingBooksQuery, onboardingQuery } from '@/features/challenge/onboarding/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { ProgressBar } from '@/ui/ProgressBar';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => settleBeforeFirstRender(queryClient.query(onboardingQuery()));

/** The progress bar of each step, in percent (challenge.onboarding-progress). The last step has the counter. */
const PROGRESS = [0, 33, 50, 67, 83, 83] as const;

/** /get-started: six steps, each with its own history entry (challenge.onboarding-steps). */
export function Component() {
  useTitle(ROUTES.getStarted.title);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { data, error, refetch } = useQuery(onboardingQuery());
  const [choices, setChoices] = useState(() => storedChoices());
  const wanted = Number(params.get('step') ?? 1);
  const step = Number.isInteger(wanted) && wanted >= 1 && wanted <= PROGRESS.length ? wanted : 1;

  const choose = (now: Choices) => {
    storeChoices(now);
    setChoices(now);
  };
  const next = () => void navigate(`${paths.getStarted}?step=${step + 1}`);

  return (
    <div className={`page onboarding onboarding--${step}`}>
      <ProgressBar label="Progress" value={PROGRESS[step - 1] ?? 0} max={100} text={`Step ${step} of ${PROGRESS.length}`} />
      {!data ? (
        error ? (
          <ErrorState level={1} error={error} onRetry={() => void refetch()} />
        ) : (
          <div role="status" className="onboarding__step">
            <h1 className="page__title">{ROUTES.getStarted.title}</h1>
            <SkeletonText width={80} />
            <SkeletonText width={60} />
          </div>
        )
      ) : step === 1 ? (
        <GoalStep key={1} goals={data.goals} picked={choices.goals} onPick={(goals) => choose({ ...choices, goals })} onNext={next} />
      ) : step === 2 ? (
        <CategoryStep
          key={2}
          categories={data.categories}
          picked={choices.categories}
          onPick={(categories) => choose({ ...choices, categories })}
          onNext={next}
        />
      ) : step === 3 ? (
        <ProofStep key={3} figures={data.figures} onNext={next} />
      ) : step === 4 ? (
        <WelcomeStep key={4} onNext={next} />
      ) : step === 5 ? (
        <ThumbStep key={5} books={data.books} onNext={next} />
      ) : (
        <Counter
          // The next page shows a failure.
          onStart={() => void queryClient.query(fittingBooksQuery(choices)).catch(() => undefined)}
          onEnd={() => void navigate(paths.secret, { replace: true })}
        />
      )}
    </div>
  );
}
