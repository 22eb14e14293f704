import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { Quiz } from '@/features/challenge/quizzes/quiz';
import { storeTakenQuiz, takenQuiz } from '@/features/challenge/quizzes/session';

type Kind = Quiz['kind'];

/** A quiz's statements, in order. Never refetched while the quiz is being answered. */
export const questionsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: [viewer(), 'quiz', kind],
    queryFn: async ({ signal }) => (await call('GET /api/quiz/{kind}', { path: { kind }, signal })).questions,
    staleTime: Infinity,
    retryOnMount: false,
  });

/** A member's results, latest first, and whether the detailed report is unlocked. Saves a result of this session first. */
export const resultsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ['member', 'quiz-results', kind],
    queryFn: async ({ signal }) => {
      await saveTakenQuiz(kind);
      return call('GET /api/quiz/{kind}/results', { path: { kind }, signal });
    },
    staleTime: 0,
    retryOnMount: false,
  });

/** The detailed report on a member's latest result. */
export const reportQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ['member', 'quiz-report', kind],
    queryFn: ({ signal }) => call('GET /api/quiz/{kind}/report', { path: { kind }, signal }),
    retryOnMount: false,
  });

const saving = new Map<Kind, Promise<void>>();

/** Saves the result of this session for the signed-in member, once. */
export function saveTakenQuiz(kind: Kind): Promise<void> {
  const running = saving.get(kind);
  if (running) return running;
  const save = async () => {
    const taken = takenQuiz(kind);
    if (taken === null || taken.saved) return;
    await call('POST /api/quiz/{kind}/results', { path: { kind }, body: { answers: taken.answers } });
    storeTakenQuiz(kind, { ...taken, saved: true });
    await queryClient.invalidateQueries({ queryKey: ['member', 'quiz-report', kind] });
  };
  const work = save().finally(() => saving.delete(kind));
  saving.set(kind, work);
  return work;
}
