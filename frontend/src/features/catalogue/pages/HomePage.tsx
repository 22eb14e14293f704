import '@/features/catalogue/books.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, Navigate } from 'react-router';
import { hintsPaid } from '@/api/hints';
import { queryClient } from '@/api/queryClient';
import type { HistoryEntry } from '@/api/types';
import { FreeSummaries } from '@/shared/account/FreeSummaries';
import { ConfirmNotice } from '@/shared/session/ConfirmNotice';
import { homeQuery } from '@/shared/catalogue/home';
import { InviteBox } from '@/shared/referral/InviteBox';
import { PlanLine } from '@/shared/payment/PlanLine';
import type { GoalToday } from '@/shared/goal/GoalToday';
import { goalQuery, hasGoal, mayHaveGoal } from '@/shared/goal/goal';
import type { StudyToday, loadToday } from '@/shared/study/StudyToday';
import { QUICK_MINUTES } from '@/shared/study/session';
import { hasStored, isProbablyDue } from '@/shared/study/studyFlags';
import { Insight } from '@/features/catalogue/components/Insight';
import { Reason } from '@/features/catalogue/components/Reason';
import { HOME_HISTORY, historyQuery, insightQuery } from '@/features/catalogue/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { site } from '@/lib/site';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BookCover, BookGrid } from '@/ui/BookCard';
import { CategoryTiles } from '@/ui/CategoryTile';
import { chunkOf, useChunk } from '@/ui/chunk';
import { Icon } from '@/ui/Icon';
import { Rail } from '@/ui/Rail';
import { ReadingProgressBar } from '@/ui/ReadingProgressBar';
import { SkeletonBooks, SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

interface StudyModule {
  StudyToday: typeof StudyToday;
  loadToday: typeof loadToday;
}

/** The cards that are due and the questions about commitments, with their store. */
const studyChunk = chunkOf<StudyModule>(() => import(/* webpackChunkName: "study-today" */ '@/shared/study/StudyToday'), {
  StudyToday: () => null,
  loadToday: () => Promise.resolve(),
});

const goalChunk = chunkOf<{ GoalToday: typeof GoalToday }>(() => import(/* webpackChunkName: "goal-today" */ '@/shared/goal/GoalToday'), {
  GoalToday: () => null,
});

export const loader = () =>
  settleBeforeFirstRender(
    queryClient.query(homeQuery()),
    queryClient.query(historyQuery()),
    queryClient.query(insightQuery()),
    ...(hasGoal() ? [queryClient.query(goalQuery()), goalChunk.load()] : []),
    ...(hasStored() ? [studyChunk.load().then((study) => study.loadToday())] : []),
  );

/** Unfinished books, the latest first. Finished ones are in the library and the history. */
const inProgress = (entries: readonly HistoryEntry[]) => entries.filter(({ completed }) => !completed).slice(0, HOME_HISTORY);

const DAY = 86_400_000;

/** Whether all reading was within the last 24 hours, as on the first day of every account. */
const isFirstDay = (entries: readonly HistoryEntry[], now: number) => entries.every(({ at }) => at > now - DAY);

/** The greeting (reading-progress.home-page). */
const greeting = (name: string, isNew = false) => `Welcome${isNew ? '' : ' Back'}${name ? `, ${name}` : ''}!`;

/** Sidebar links (reading-progress.home-page). */
const LINKS = [
  { to: paths.books, label: 'Book Summaries' },
  { to: paths.infographics, label: 'Infographics' },
  { to: paths.try, label: 'Upgrade' },
  { to: paths.teams, label: 'Teams' },
  { to: paths.account, label: 'Account' },
  { to: paths.myProgress, label: 'My Progress' },
  { to: `${paths.myProgress}#goal`, label: 'Daily Goal' },
  { to: paths.library, label: 'My Library' },
  { to: paths.lists, label: 'Lists' },
  { to: paths.highlights, label: 'Highlights' },
  { to: paths.review, label: 'Review' },
  { to: paths.whatsNew, label: "What's New" },
  { to: paths.suggestBook, label: 'Suggest a Book' },
  { to: paths.contact, label: 'Contact Us' },
  { to: paths.referAFriend, label: 'Refer a Friend' },
  { to: paths.tenDayChallenge, label: 'Ten Day Challenge Results' },
  { to: paths.logout, label: 'Log out' },
] as const;

export function Component() {
  useTitle(ROUTES.home.title);
  const home = useQuery(homeQuery());
  const history = useQuery(historyQuery());
  const user = home.data?.user;
  const [now] = useState(() => Date.now());
  const folds = useMediaQuery('(max-width: 47.99rem)');
  const study = useChunk(studyChunk, hasStored());
  const goal = useChunk(goalChunk, mayHaveGoal());
  const waiting = hasStored() && isProbablyDue() ? <DueSkeleton /> : null;

  // Nothing chosen yet means nothing to recommend (reading-progress.chosen-categories).
  if (user?.recommends.length === 0) return <Navigate to={paths.chooseCategories('new')} replace />;
  const paid = user?.isPaid ?? hintsPaid();

  // If both queries failed, the error is shown once.
  const allFailed = history.isError && home.isError;
  return (
    <div className="page home">
      <div className="home__main">
        <ConfirmNotice user={user} />
        <h1 className="page__title home__greeting">
          {user && !history.isPending ? (
            greeting(user.firstName, history.data !== undefined && isFirstDay(history.data, now))
          ) : home.isError ? (
            greeting('')
          ) : (
            <SkeletonText width={40} />
          )}
          {home.isPending || (user && history.isPending) ? <span className="visually-hidden">My Home</span> : null}
        </h1>
        {history.data?.length === 0 ? <p className="page__lead">Good to have you here. Choose your first summary: it takes ten to fifteen minutes.</p> : null}

        {user ? <FreeSummaries user={user} className="home__allowance" onlyUsedUp /> : null}

        {goal && !home.isPending ? <goal.GoalToday user={user ?? undefined} /> : null}
        {study && !home.isPending ? <study.StudyToday user={user ?? undefined} waiting={waiting} /> : waiting}
        <SessionRow />

        {allFailed ? (
          <ErrorState
            error={home.error}
            onRetry={() => {
              void history.refetch();
              void home.refetch();
            }}
          />
        ) : (
          <Section title="Pick up where you left off" {...(history.data?.length ? { more: { to: paths.history, label: 'See all' } } : {})}>
            {history.data ? (
              inProgress(history.data).length > 0 ? (
                <ul className="resume">
                  {inProgress(history.data).map((entry) => (
                    <li key={entry.id}>
                      <Resume entry={entry} />
                    </li>
                  ))}
                </ul>
              ) : (
                <p className="section__empty">
                  {history.data.length > 0
                    ? 'You have finished everything you started. The next summary you open will wait for you here.'
                    : 'The first summary you open will wait for you here.'}
                </p>
              )
            ) : history.isError ? (
              <ErrorState error={history.error} onRetry={() => void history.refetch()} />
            ) : (
              <ResumeSkeleton />
            )}
          </Section>
        )}

        {allFailed ? null : <Insight />}

        {allFailed ? null : home.isError ? (
          <ErrorState error={home.error} onRetry={() => void home.refetch()} />
        ) : (
          <>
            <Section title="Books Recommended For You" more={{ to: paths.recommendations, label: 'See all' }}>
              {home.data ? (
                <Rail label="Books Recommended For You">
                  <BookGrid
                    className="book-shelf"
                    books={home.data.recommendations}
                    eager={5}
                    note={(book) => <Reason book={book} chosen={user?.recommends ?? []} />}
                  />
                </Rail>
              ) : (
                <SkeletonBooks count={6} className="book-shelf" />
              )}
            </Section>
            {user ? <InviteBox user={user} /> : null}
            <Section title="New Releases" more={{ to: paths.newestBooks, label: 'See all' }}>
              {home.data ? (
                <Rail label="New Releases">
                  <BookGrid className="book-shelf" books={home.data.books} />
                </Rail>
              ) : (
                <SkeletonBooks count={6} className="book-shelf" />
              )}
            </Section>
            <Section title="Explore Categories">{home.data ? <CategoryTiles categories={home.data.categories} /> : null}</Section>
          </>
        )}
      </div>
      <nav className="home__side" aria-label={`My ${site.name}`}>
        {folds ? (
          <details>
            <summary className="disclosure">{`My ${site.name}`}</summary>
            <SideLinks paid={paid} />
          </details>
        ) : (
          <SideLinks paid={paid} />
        )}
      </nav>
    </div>
  );
}

/** 'I have … minutes': the lengths of a session (study.session-links). */
const SessionRow = () => (
  <nav className="home__session" aria-label="I have … minutes">
    <p className="home__due-text">I have</p>
    <ul className="chips">
      {QUICK_MINUTES.map((minutes) => (
        <li key={minutes}>
          <Link className="chip chip--plain tabular" to={paths.sessionOf(minutes)} aria-label={`${minutes} minutes`}>
            {minutes}
          </Link>
        </li>
      ))}
    </ul>
    <p className="home__due-text">minutes</p>
    <Link className="link link--more" to={paths.session}>
      Choose a topic
    </Link>
  </nav>
);

/** The room of the cards that are due, until they are read. */
const DueSkeleton = () => (
  <div className="home__due home__due--waiting" aria-hidden="true">
    <p>20 cards are due today. About 5 minutes.</p>
    <span className="button">Review 20 cards</span>
  </div>
);

function SideLinks({ paid }: { paid: boolean }) {
  return (
    <ul className="home__links">
      {LINKS.filter(({ to }) => to !== paths.try || !paid).map(({ to, label }) => (
        <li key={label}>
          <Link className={to === paths.try ? 'home__link home__link--strong' : 'home__link'} to={to}>
            {label}
          </Link>
        </li>
      ))}
      <li className="home__plan">
        <PlanLine className="plan-line--home" ask={paid} />
      </li>
    </ul>
  );
}

function Section({ title, more, children }: { title: string; more?: { to: string; label: string }; children: ReactNode }) {
  return (
    <section className="home__section">
      <div className="section__head">
        <h2 className="section__title">{title}</h2>
        {more ? (
          <Link className="link link--more section__more" to={more.to} aria-label={`${more.label}: ${title}`}>
            {more.label}
            <Icon name="chevronRight" />
          </Link>
        ) : null}
      </div>
      {children}
    </section>
  );
}

function Resume({ entry }: { entry: HistoryEntry }) {
  return (
    <article className="resume__card book-card">
      <div className="book-card__cover">
        <BookCover book={entry} eager />
      </div>
      <div>
        <h3 className="book-card__title">
          <Link className="book-card__link" to={paths.book(entry.subid)}>
            {entry.title}
          </Link>
        </h3>
        <ReadingProgressBar {...entry} />
      </div>
    </article>
  );
}

function ResumeSkeleton() {
  return (
    <div className="resume" aria-hidden="true">
      {[1, 2, 3].map((i) => (
        <div key={i} className="resume__card">
          <span className="skeleton skeleton--cover" />
          <div>
            <SkeletonText width={80} />
            <SkeletonText width={45} />
          </div>
        </div>
      ))}
    </div>
  );
}
