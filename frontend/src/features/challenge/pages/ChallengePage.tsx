import '@/features/challenge/challenge.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { loadFailureOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { GoalStep } from '@/features/challenge/components/GoalStep';
import { Intro } from '@/features/challenge/components/Intro';
import { PlanStep } from '@/features/challenge/components/PlanStep';
import { pendingSave, storeDraft, storePendingSave, storedDraft } from '@/features/challenge/draft';
import type { Draft } from '@/features/challenge/draft';
import { challengeQuery, dailyMailQuery } from '@/features/challenge/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { scrollToTop } from '@/lib/scrollToTop';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { SkeletonBooks } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => settleBeforeFirstRender(queryClient.query(challengeQuery()), ...(viewer() === 'member' ? [queryClient.query(accountQuery())] : []));

/** Milliseconds between a visitor's attempt to save the plan and the redirect to the login (challenge.visitor-plan). */
const LOGIN_DELAY = 1000;

/** /ten-day-challenge: an introduction, the goals, and the plan (challenge.plan-steps). */
export function Component() {
  useTitle(ROUTES.tenDayChallenge.title);
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const [params] = useSearchParams();
  const { data, error, refetch } = useQuery(challengeQuery());
  const account = useQuery({ ...accountQuery(), enabled: signedIn });
  const [draft, setDraft] = useState(storedDraft);
  const [state, setState] = useState<'idle' | 'saving' | 'leaving'>(() => (signedIn && pendingSave() ? 'saving' : 'idle'));
  const [problem, setProblem] = useState<string | null>(null);

  const save = async (plan: { goals: number[]; bookIds: number[] }) => {
    setState('saving');
    setProblem(null);
    try {
      await call('POST /api/user/ten-day-challenge-submit', { body: { goals: plan.goals, bookIds: plan.bookIds } });
      storeDraft(null);
      // The mails of the previous plan have ended.
      await Promise.all([refetch(), queryClient.invalidateQueries({ queryKey: dailyMailQuery().queryKey })]);
      setDraft(null);
      await navigate(paths.tenDayChallenge, { replace: true });
    } catch (thrown) {
      setProblem(loadFailureOf(thrown));
      scrollToTop();
    } finally {
      // A failed save is not retried automatically; the plan and its button stay.
      storePendingSave(null);
      setState('idle');
    }
  };

  // A plan that a visitor wanted to save is saved once, when they come back as a member.
  const begun = useRef(false);
  const savePending = useEffectEvent(() => {
    const pending = pendingSave();
    if (!signedIn || !pending || begun.current) return;
    begun.current = true;
    void save(pending);
  });
  useEffect(() => savePending(), []);

  const leave = useEffectEvent(() => void navigate(loginFor(paths.tenDayChallenge)));
  useEffect(() => {
    if (state !== 'leaving') return;
    const timer = setTimeout(() => leave(), LOGIN_DELAY);
    return () => clearTimeout(timer);
  }, [state]);

  const saveDraft = (plan: Draft) => {
    if (signedIn) {
      void save(plan);
      return;
    }
    storePendingSave(plan);
    setState('leaving');
  };

  const step = params.get('step');
  if (!data) {
    return (
      <div className="page challenge">
        {error ? (
          <ErrorState level={1} error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <h1 className="page__title">{ROUTES.tenDayChallenge.title}</h1>
            <SkeletonBooks count={5} className="book-grid challenge__skeleton" />
          </>
        )}
      </div>
    );
  }
  if (step === 'goals') {
    return (
      <GoalStep
        goals={data.goals}
        chosen={draft?.goals ?? data.userGoals.map(({ id }) => id)}
        email={account.data?.email ?? ''}
        onPlan={(plan) => {
          storeDraft(plan);
          setDraft(plan);
          setProblem(null);
          void navigate(`${paths.tenDayChallenge}?step=plan`);
        }}
      />
    );
  }
  const toGoals = () => void navigate(`${paths.tenDayChallenge}?step=goals`);
  const isSaved = data.userBookRecommendations.length > 0;
  if (draft && (step === 'plan' || state === 'saving' || !isSaved)) {
    return (
      <PlanStep
        books={draft.books}
        goals={draft.userGoalTitles}
        saved={false}
        state={state}
        problem={problem}
        onSave={() => saveDraft(draft)}
        onNew={toGoals}
      />
    );
  }
  if (isSaved) {
    return (
      <PlanStep books={data.userBookRecommendations} goals={data.userGoals.map(({ title }) => title)} saved state={state} problem={problem} onNew={toGoals} />
    );
  }
  return <Intro signedIn={signedIn} problem={problem} onStart={toGoals} />;
}
