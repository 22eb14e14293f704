import '@/features/challenge/quizzes/quizzes.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { viewer } from '@/api/queryClient';
import { questionsQuery, saveTakenQuiz } from '@/features/challenge/quizzes/queries';
import { countAnswers } from '@/features/challenge/quizzes/quiz';
import type { Answer, Question, Quiz as QuizInfo } from '@/features/challenge/quizzes/quiz';
import { storeAnswers, storeTakenQuiz, storedAnswers } from '@/features/challenge/quizzes/session';
import { useTitle } from '@/lib/useTitle';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ProgressBar } from '@/ui/ProgressBar';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

/** Duration of the transition to the next statement, in milliseconds (challenge.quiz-transition). */
export const TRANSITION = 200;

/** A quiz: one statement at a time, True or False (challenge.quiz-transition). */
export function Quiz({ quiz }: { quiz: QuizInfo }) {
  useTitle(quiz.title);
  const { data, error, refetch } = useQuery(questionsQuery(quiz.kind));
  if (error) {
    return (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data?.length === 0) {
    return (
      <div className="page">
        <EmptyState level={1} title={quiz.title}>
          <p>This quiz has no statements at the moment.</p>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="page page--text quiz">
      <h1 className="quiz__name">{quiz.title}</h1>
      {data ? <Statements key={quiz.kind} quiz={quiz} questions={data} /> : <QuizSkeleton />}
    </div>
  );
}

const QuizSkeleton = () => (
  <div className="quiz__stage" role="status">
    <span className="visually-hidden">Loading the quiz</span>
    <SkeletonText width={90} />
    <SkeletonText width={60} />
  </div>
);

/** The stored answers to these questions; none if the questions have changed since. */
function answersTo(questions: readonly Question[], stored: readonly Answer[]): Answer[] {
  const fits = stored.length < questions.length && stored.every(({ id }, i) => questions[i]?.id === id);
  return fits ? [...stored] : [];
}

/** Keyboard shortcuts of the two buttons. */
const ANSWER_KEYS: Readonly<Record<string, boolean>> = { t: true, f: false, ArrowLeft: true, ArrowRight: false };

function Statements({ quiz, questions }: { quiz: QuizInfo; questions: readonly Question[] }) {
  const [answers, setAnswers] = useState(() => answersTo(questions, storedAnswers(quiz.kind)));
  // The answer just given, during the transition to the next statement.
  const [leaving, setLeaving] = useState<boolean | null>(null);
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const at = answers.length;
  const question = questions[at];

  const advance = (isTrue: boolean) => {
    if (!question) return;
    const now = [...answers, { id: question.id, answer: isTrue }];
    const isLast = now.length === questions.length;
    if (isLast) {
      storeTakenQuiz(quiz.kind, { answers: now, result: countAnswers(questions, now, Date.now()), saved: false });
      // A failure loses nothing: the results page saves the result.
      if (viewer() === 'member') void saveTakenQuiz(quiz.kind).catch(() => undefined);
    }
    storeAnswers(quiz.kind, isLast ? [] : now);
    setAnswers(now);
    setLeaving(null);
  };
  const advanceLater = useEffectEvent(advance);
  useEffect(() => {
    if (leaving === null) return;
    const timer = setTimeout(() => advanceLater(leaving), TRANSITION);
    return () => clearTimeout(timer);
  }, [leaving]);

  const answer = (isTrue: boolean) => {
    if (leaving !== null) return;
    if (still) advance(isTrue);
    else setLeaving(isTrue);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('input, textarea, select, dialog')) return;
    const given = ANSWER_KEYS[key];
    if (given === undefined || !question) return;
    event.preventDefault();
    answer(given);
  });
  // A layout effect: a key pressed as soon as the statement is visible counts.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  const goBack = () => {
    const now = answers.slice(0, -1);
    storeAnswers(quiz.kind, now);
    setAnswers(now);
  };

  if (!question) return <Completed quiz={quiz} count={questions.length} />;
  return (
    <>
      <ProgressBar label="Statements answered" value={at} max={questions.length} text={`${at} of ${questions.length}`} />
      <div className="quiz__head">
        <p className="quiz__count tabular">{`${at + 1} of ${questions.length}`}</p>
        {at > 0 ? (
          <Button kind="quiet" onClick={goBack}>
            <Icon name="arrowLeft" />
            Back
          </Button>
        ) : (
          <p className="quiz__lead">{quiz.lead}</p>
        )}
      </div>
      <div className="quiz__stage" aria-live="polite" aria-atomic="true">
        <p key={question.id} className={`quiz__statement${leaving === null ? '' : leaving ? ' quiz__statement--true' : ' quiz__statement--false'}`}>
          {question.statement}
        </p>
      </div>
      <div className="quiz__answers" role="group" aria-label="Is this true of you?">
        <Button large className="quiz__answer" aria-keyshortcuts="T ArrowLeft" onClick={() => answer(true)}>
          True
        </Button>
        <Button large className="quiz__answer" aria-keyshortcuts="F ArrowRight" onClick={() => answer(false)}>
          False
        </Button>
      </div>
      <p className="quiz__keys" aria-hidden="true">
        <kbd>T</kbd> or <kbd>←</kbd> for True, <kbd>F</kbd> or <kbd>→</kbd> for False
      </p>
    </>
  );
}

function Completed({ quiz, count }: { quiz: QuizInfo; count: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <ProgressBar label="Statements answered" value={count} max={count} text={`${count} of ${count}`} />
      <div className="quiz__done">
        <span className="done-mark" aria-hidden="true">
          <Icon name="check" />
        </span>
        <h2 className="quiz__done-title" ref={heading} tabIndex={-1}>
          All answered
        </h2>
        <p>Thank you for being honest. Your answers are counted.</p>
        <LinkButton kind="primary" large to={quiz.results}>
          See your results
        </LinkButton>
      </div>
    </>
  );
}
