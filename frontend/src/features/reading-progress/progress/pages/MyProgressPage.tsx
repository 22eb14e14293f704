import { queryClient } from '@/api/queryClient';
import { Awards } from '@/features/reading-progress/progress/components/Awards';
import { Calendar } from '@/features/reading-progress/progress/components/Calendar';
import { Figures } from '@/features/reading-progress/progress/components/Figures';
import { Skills } from '@/features/reading-progress/progress/components/Skills';
import type { DailyGoal } from '@/features/reading-progress/progress/components/DailyGoal';
import type { Recall } from '@/features/reading-progress/progress/components/Recall';
import { progressQuery, recallQuery } from '@/features/reading-progress/progress/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import type { CommitmentList, loadCommitments } from '@/shared/study/commitments/CommitmentList';
import { hasCommitments } from '@/shared/study/commitments/commitmentFlags';
import { goalQuery } from '@/shared/goal/goal';
import { hasStored } from '@/shared/study/studyFlags';
import { LinkButton } from '@/ui/Button';
import { chunkOf, useChunk } from '@/ui/chunk';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';
import { useQuery } from '@tanstack/react-query';
import '@/features/reading-progress/progress/progress.css';

/** The error message of the page (reading-progress.progress-page). */
const LOAD_FAILURE = 'There was an error processing your request. Please try again later.';

const recallChunk = chunkOf<{ Recall: typeof Recall }>(
  () => import(/* webpackChunkName: "recall" */ '@/features/reading-progress/progress/components/Recall'),
  // The rest of the page is of use without it.
  { Recall: () => null },
);

const goalChunk = chunkOf<{ DailyGoal: typeof DailyGoal }>(
  () => import(/* webpackChunkName: "daily-goal" */ '@/features/reading-progress/progress/components/DailyGoal'),
  { DailyGoal: () => null },
);

interface CommitmentsModule {
  CommitmentList: typeof CommitmentList;
  loadCommitments: typeof loadCommitments;
}

/** The member's commitments, with their store. */
const commitmentsChunk = chunkOf<CommitmentsModule>(() => import(/* webpackChunkName: "commitments" */ '@/shared/study/commitments/CommitmentList'), {
  CommitmentList: () => null,
  loadCommitments: () => Promise.resolve(),
});

export const loader = () =>
  settleBeforeFirstRender(
    queryClient.query(progressQuery()),
    queryClient.query(recallQuery()),
    recallChunk.load(),
    queryClient.query(goalQuery()),
    goalChunk.load(),
    ...(hasCommitments() ? [commitmentsChunk.load().then((chunk) => chunk.loadCommitments())] : []),
  );

/** /my-progress: reading progress in charts (reading-progress.progress-page). */
export function Component() {
  useTitle(ROUTES.myProgress.title);
  const { data: progress, error, refetch } = useQuery(progressQuery());
  const recall = useChunk(recallChunk);
  const goal = useChunk(goalChunk);
  // A device without any records does not know whether there are some.
  const commitments = useChunk(commitmentsChunk, hasCommitments() || !hasStored());
  return (
    <div className="page progress">
      <h1 className="page__title">My Progress</h1>
      {progress ? (
        <>
          {progress.xp === 0 ? <p className="page__lead">Your first summary puts the first mark on this page: ten XP, and a day on your streak.</p> : null}
          <Figures progress={progress} />
          <section className="section" aria-labelledby="days">
            <h2 className="section__title" id="days">
              Days of reading
            </h2>
            <Calendar progress={progress} />
            <LinkButton to={paths.year(progress.today.slice(0, 4))}>Your year</LinkButton>
          </section>
          {goal ? <goal.DailyGoal /> : null}
          <section className="section" aria-labelledby="achievements">
            <h2 className="section__title progress__title" id="achievements">
              Achievements
            </h2>
            <Awards progress={progress} />
          </section>
          <section className="section" aria-labelledby="skills">
            <h2 className="section__title" id="skills">
              Skills acquired
            </h2>
            <p className="progress__hint">Finish ten summaries in a category to close its ring, or all of them if it has fewer.</p>
            {progress.skills.length > 0 ? (
              <Skills skills={progress.skills} />
            ) : (
              <p className="progress__none">
                None yet. The rings appear once you complete your first summary. <LinkButton to={paths.books}>Find one to read</LinkButton>
              </p>
            )}
          </section>
          {recall ? <recall.Recall /> : null}
          {commitments ? <commitments.CommitmentList /> : null}
          {progress.isPaid ? null : (
            <aside className="upgrade" aria-labelledby="upgrade">
              <div>
                <h2 className="upgrade__title" id="upgrade">
                  Keep going without limits
                </h2>
                <p className="upgrade__text">With a plan, you can read every summary in full, as often as you like. The first three days are free.</p>
              </div>
              <LinkButton kind="primary" large to={paths.try}>
                Upgrade
              </LinkButton>
            </aside>
          )}
        </>
      ) : error ? (
        <ErrorState message={LOAD_FAILURE} onRetry={() => void refetch()} />
      ) : (
        <ProgressSkeleton />
      )}
    </div>
  );
}

function ProgressSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading your progress</span>
      <div className="figures" aria-hidden="true">
        <div className="figures__level">
          <span className="skeleton progress__skeleton-ring" />
        </div>
        <div className="figures__rest">
          {[0, 1, 2].map((i) => (
            <div key={i} className="figure">
              <SkeletonText width={60} />
              <div className="figure__value">
                <SkeletonText width={40} />
              </div>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
