// The two quizzes: their names and paths, and the scoring as a pure function (challenge.quiz-counting).
import type { ResultOf } from '@/api/types';
import { onFirstUse } from '@/lib/onFirstUse';
import { ROUTES, paths } from '@/paths';

export type Question = ResultOf<'GET /api/quiz/{kind}'>['questions'][number];
export type QuizResult = ResultOf<'GET /api/quiz/{kind}/results'>['results'][number];
export type ReportPartData = ResultOf<'GET /api/quiz/{kind}/report'>['sections'][number];

export interface Answer {
  /** The id of the statement. */
  id: number;
  answer: boolean;
}

export interface Quiz {
  kind: 'intelligence' | 'personality';
  title: string;
  /** The plan that unlocks the detailed report. */
  planId: string;
  path: string;
  results: string;
  /** The introduction above the first statement. */
  lead: string;
  /** The label above the names of the leaders. */
  leadersLabel: string;
}

export const INTELLIGENCE: Quiz = {
  kind: 'intelligence',
  title: ROUTES.quiz.title,
  planId: 'quiz',
  path: paths.quiz,
  results: paths.quizResults,
  lead: 'Nine ways to be smart. Which ones are yours?',
  leadersLabel: 'You are strongest in',
};

export const PERSONALITY: Quiz = {
  kind: 'personality',
  title: ROUTES.personalityQuiz.title,
  planId: 'personality-quiz',
  path: paths.personalityQuiz,
  results: paths.personalityQuizResults,
  lead: 'Four colors of temperament. Which one is yours?',
  leadersLabel: 'Your color is',
};

/** The hue of a type or color, and a sentence that describes a person whose leader it is. */
const PORTRAITS: Readonly<Record<string, { hue: number; sentence: string }>> = {
  Linguistic: { hue: 15, sentence: 'Finds the word that all the others were looking for.' },
  'Logical-Mathematical': { hue: 255, sentence: 'Asks how we know, and then works it out.' },
  Spatial: { hue: 195, sentence: 'Draws it on a napkin, and suddenly it is clear.' },
  Musical: { hue: 315, sentence: 'Hears how a thing was said, and remembers it.' },
  'Bodily-Kinesthetic': { hue: 45, sentence: 'Has tried it while the rest of us were still talking.' },
  Interpersonal: { hue: 345, sentence: 'Notices who has gone quiet, and why.' },
  Intrapersonal: { hue: 285, sentence: 'Knows what they want, and what it costs.' },
  Naturalistic: { hue: 135, sentence: 'Sees the bird before anyone has heard it.' },
  Existential: { hue: 225, sentence: 'Asks what it is all for, and means the question.' },
  Red: { hue: 30, sentence: 'Decides, and then it is done.' },
  Yellow: { hue: 90, sentence: 'Has an idea before the coffee is ready, and takes us all along.' },
  Green: { hue: 150, sentence: 'Listens to the end, and is there when it counts.' },
  Blue: { hue: 255, sentence: 'Has read the instructions, and found the mistake in them.' },
};

export const hueOf = (type: string): number => PORTRAITS[type]?.hue ?? 60;
export const sentenceOf = (type: string): string => PORTRAITS[type]?.sentence ?? '';

/** Scores the answers: True counts one for the statement's type, False nothing. The server scores them the same way. */
export function countAnswers(questions: readonly Question[], answers: readonly Answer[], takenAt: number): QuizResult {
  const said = new Map(answers.map(({ id, answer }) => [id, answer]));
  const counts = new Map<string, { count: number; questions: number }>();
  for (const { id, type } of questions) {
    const { count, questions: all } = counts.get(type) ?? { count: 0, questions: 0 };
    counts.set(type, { count: count + (said.get(id) === true ? 1 : 0), questions: all + 1 });
  }
  const order = Object.keys(PORTRAITS);
  const totals = [...counts]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([type, { count, questions: all }]) => ({ type, count, questions: all, percent: Math.round((count * 100) / all) }));
  const greatest = Math.max(0, ...totals.map(({ count }) => count));
  const leaders = totals.filter(({ count }) => count === greatest && count > 0).map(({ type }) => type);
  return { takenAt, totals, leaders };
}

const list = onFirstUse(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** 'Red', 'Red and Blue', 'Red, Green, and Blue'. */
export const namesOf = (leaders: readonly string[]): string => list().format(leaders);

/** The counts of a result in the order of its types, as used in URLs. */
export const countsOf = (result: QuizResult): string => result.totals.map(({ count }) => count).join(',');

/** The quiz's path with a result, for sharing: link previews show the result as a picture. */
export const sharedPath = (quiz: Quiz, result: QuizResult): string => `${quiz.path}?result=${countsOf(result)}`;
