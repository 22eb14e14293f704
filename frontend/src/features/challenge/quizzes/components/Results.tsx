import '@/features/challenge/quizzes/quizzes.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import { checkoutSettingsQuery, planOf } from '@/shared/payment/checkout';
import { SharePicture } from '@/features/challenge/quizzes/components/SharePicture';
import { FruitSlice, ShareBars } from '@/features/challenge/quizzes/components/Shares';
import { reportQuery, resultsQuery } from '@/features/challenge/quizzes/queries';
import { hueOf, namesOf, sentenceOf, sharedPath } from '@/features/challenge/quizzes/quiz';
import type { Quiz, QuizResult, ReportPartData } from '@/features/challenge/quizzes/quiz';
import { takenQuiz } from '@/features/challenge/quizzes/session';
import { formatDay, formatMoney } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { saveFile } from '@/lib/saveFile';
import { useTitle } from '@/lib/useTitle';
import { loginFor, plansFor, signupFor, paths, withRedirect } from '@/paths';
import { Alert } from '@/ui/Alert';
import { BookGrid } from '@/ui/BookCard';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';
import { ShareLinks } from '@/ui/ShareLinks';
import { EmptyState, ErrorState } from '@/ui/State';

/** The result of a quiz: shares and leaders for everyone, the report for those who have its plan or a subscription (challenge.quiz-report). */
export function Results({ quiz }: { quiz: Quiz }) {
  useTitle(`${quiz.title}: results`);
  const signedIn = useSignedIn();
  const saved = useQuery({ ...resultsQuery(quiz.kind), enabled: signedIn });
  const [taken] = useState(() => takenQuiz(quiz.kind));
  const [latest, ...earlier] = saved.data?.results ?? [];
  const result = latest ?? taken?.result;

  if (!result) {
    if (signedIn && saved.isPending) return <ResultsSkeleton />;
    return (
      <div className="page">
        {saved.error ? (
          <ErrorState level={1} error={saved.error} onRetry={() => void saved.refetch()} />
        ) : (
          <EmptyState
            level={1}
            title="No results yet"
            actions={
              <LinkButton kind="primary" large to={quiz.path}>
                Take the quiz
              </LinkButton>
            }
          >
            <p>{quiz.lead} It takes about three minutes.</p>
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <div className="page quiz-results">
      <ShortResult quiz={quiz} result={result} />
      {signedIn && saved.isPending ? (
        <div role="status">
          <span className="visually-hidden">Loading the report</span>
          <SkeletonText width={70} />
        </div>
      ) : saved.error ? (
        <ErrorState error={saved.error} onRetry={() => void saved.refetch()} />
      ) : saved.data?.hasReport ? (
        <Report quiz={quiz} />
      ) : (
        <LockedReport quiz={quiz} leaders={result.leaders} signedIn={signedIn} />
      )}
      {earlier.length > 0 ? <Earlier results={earlier} /> : null}
    </div>
  );
}

const ResultsSkeleton = () => (
  <div className="page quiz-results" role="status">
    <span className="visually-hidden">Loading your results</span>
    <SkeletonText width={40} />
    <SkeletonText width={70} />
  </div>
);

function ShortResult({ quiz, result }: { quiz: Quiz; result: QuizResult }) {
  const { leaders } = result;
  const many = leaders.length > 3;
  return (
    <section className="quiz-results__short" aria-labelledby="result-title">
      <div className="quiz-results__picture">
        <FruitSlice result={result} />
      </div>
      <div className="quiz-results__words">
        <h1 className="quiz-results__title" id="result-title">
          {leaders.length === 0 ? (
            'Nothing stood out'
          ) : many ? (
            `A balance of ${leaders.length}`
          ) : (
            <>
              <span className="quiz-results__label">{leaders.length > 1 && quiz.kind === 'personality' ? 'Your colors are' : quiz.leadersLabel}</span>{' '}
              {namesOf(leaders)}
            </>
          )}
        </h1>
        {leaders.length === 0 ? (
          <p className="quiz-results__sentence">You did not mark any of the statements True. Another day, that may be different.</p>
        ) : many ? (
          <p className="quiz-results__sentence">{`${namesOf(leaders)} are tied: none of them leads.`}</p>
        ) : (
          leaders.map((leader) => (
            <p key={leader} className={`quiz-results__sentence quiz-results__sentence--of ${hueClass(hueOf(leader))}`}>
              {sentenceOf(leader)}
            </p>
          ))
        )}
        <ShareBars result={result} label="Your shares" />
        <div className="quiz-results__actions">
          <LinkButton to={quiz.path}>Take it again</LinkButton>
          <SharePicture quiz={quiz} result={result} />
          <ShareLinks
            path={sharedPath(quiz, result)}
            text={
              leaders.length === 0 || many
                ? quiz.lead
                : `${quiz.leadersLabel.replace('You are', 'I am').replace('Your color is', 'My color is')} ${namesOf(leaders)}. ${quiz.lead}`
            }
          />
        </div>
      </div>
    </section>
  );
}

/** What the report contains, and the two ways to buy it. The purchase returns to the result. */
function LockedReport({ quiz, leaders, signedIn }: { quiz: Quiz; leaders: readonly string[]; signedIn: boolean }) {
  const { data } = useQuery(checkoutSettingsQuery());
  const plan = data ? planOf(data.plans, quiz.planId) : undefined;
  return (
    <section className="locked-report" aria-labelledby="report-title">
      <h2 className="section__title" id="report-title">
        <Icon name="lock" />
        Your detailed report
      </h2>
      <p className="locked-report__text">
        {leaders.length > 0 && leaders.length <= 3 ? `What it means to lead with ${namesOf(leaders)}, ` : 'What your answers mean, '}
        what to watch out for, what to do with it this week, and the summaries that fit you.
      </p>
      <div className="locked-report__actions">
        <LinkButton kind="primary" large to={withRedirect(paths.payment(quiz.planId), quiz.results)}>
          {plan ? `Open the report for ${formatMoney(plan.price)}` : 'Open the report'}
        </LinkButton>
        <LinkButton kind="quiet" large to={plansFor(quiz.results)}>
          Or with any plan
        </LinkButton>
      </div>
      {signedIn ? null : (
        <p className="locked-report__note">
          Your result stays in this tab. To keep it, <Link to={signupFor(quiz.results)}>sign up</Link> or <Link to={loginFor(quiz.results)}>log in</Link>.
        </p>
      )}
    </section>
  );
}

function Report({ quiz }: { quiz: Quiz }) {
  const { data, error, refetch } = useQuery(reportQuery(quiz.kind));
  const pdf = useMutation({
    mutationFn: () => callFile('GET /api/quiz/{kind}/report/pdf', { path: { kind: quiz.kind } }),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  // The leaders come first; the rest is collapsed.
  const open = data?.result.leaders.length ?? 0;
  return (
    <section className="report" aria-labelledby="report-title">
      <div className="section__head">
        <h2 className="section__title" id="report-title">
          Your detailed report
        </h2>
        {data ? (
          <Button busy={pdf.isPending} busyText="PDF" onClick={() => pdf.mutate()}>
            <Icon name="download" />
            PDF
          </Button>
        ) : null}
      </div>
      {pdf.error ? <Alert kind="warning">{messageOf(pdf.error)}</Alert> : null}
      {data ? (
        <>
          {data.sections.slice(0, open).map((part) => (
            <ReportPart key={part.type} part={part} />
          ))}
          {data.sections.length > open ? (
            <div className="report__others">
              <h3 className="report__others-title">{open === 0 ? 'One by one' : 'The others'}</h3>
              {data.sections.slice(open).map((part) => (
                <details key={part.type} className="earlier__one">
                  <summary className="earlier__head">
                    <span>{part.type}</span>
                    <span className="earlier__leaders tabular">{`${part.percent}%`}</span>
                  </summary>
                  <ReportPart part={part} />
                </details>
              ))}
            </div>
          ) : null}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status">
          <span className="visually-hidden">Loading the report</span>
          <SkeletonText width={90} />
          <SkeletonText width={60} />
        </div>
      )}
    </section>
  );
}

const ReportPart = ({ part }: { part: ReportPartData }) => (
  <article className={`report__part ${hueClass(hueOf(part.type))}`}>
    <p className="report__dimension">{part.type}</p>
    <h3 className="report__title">{part.title}</h3>
    <p className="report__meaning">{part.meaning}</p>
    <div className="report__pair">
      <div>
        <h4 className="report__label">Watch out for</h4>
        <p>{part.caution}</p>
      </div>
      <div>
        <h4 className="report__label">This week</h4>
        <p>{part.practice}</p>
      </div>
    </div>
    {part.books.length > 0 ? (
      <>
        <h4 className="report__label">Summaries that fit</h4>
        <BookGrid books={part.books} className="book-shelf" />
      </>
    ) : null}
  </article>
);

const Earlier = ({ results }: { results: readonly QuizResult[] }) => (
  <section className="section" aria-labelledby="earlier-title">
    <h2 className="section__title" id="earlier-title">
      Earlier results
    </h2>
    <ul className="earlier">
      {results.map((result) => (
        <li key={result.takenAt}>
          <details className="earlier__one">
            <summary className="earlier__head">
              <span className="tabular">{formatDay(result.takenAt)}</span>
              <span className="earlier__leaders">{result.leaders.length > 0 ? namesOf(result.leaders) : 'None'}</span>
            </summary>
            <ShareBars result={result} label={`Shares on ${formatDay(result.takenAt)}`} />
          </details>
        </li>
      ))}
    </ul>
  </section>
);
