// Quiz state in session storage: the answers so far, and the result with its totals (challenge.quiz-session).
import type { Answer, Quiz, QuizResult } from '@/features/challenge/quizzes/quiz';
import { readStored, writeStored } from '@/lib/browserStore';

type Kind = Quiz['kind'];

export interface TakenQuiz {
  answers: Answer[];
  result: QuizResult;
  /** Already saved in the member's account. */
  saved: boolean;
}

function read(key: string): unknown {
  try {
    return JSON.parse(readStored('session', key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

const answersKey = (kind: Kind) => `quiz-answers-${kind}`;
const resultKey = (kind: Kind) => `quiz-result-${kind}`;

/** The answers so far, in the order of the questions, so that a reload continues there. */
export function storedAnswers(kind: Kind): Answer[] {
  const stored = read(answersKey(kind));
  return Array.isArray(stored) ? (stored as Answer[]) : [];
}

export const storeAnswers = (kind: Kind, answers: readonly Answer[]): void =>
  writeStored('session', answersKey(kind), answers.length === 0 ? null : JSON.stringify(answers));

export function takenQuiz(kind: Kind): TakenQuiz | null {
  const stored = read(resultKey(kind)) as Partial<TakenQuiz> | null;
  return stored && Array.isArray(stored.answers) && Array.isArray(stored.result?.totals) ? (stored as TakenQuiz) : null;
}

export const storeTakenQuiz = (kind: Kind, taken: TakenQuiz): void => writeStored('session', resultKey(kind), JSON.stringify(taken));
