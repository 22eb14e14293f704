// The calls of the quizzes, until the server's description has them. Each declaration goes when `schema.gen.ts` has the call.
import type { components } from '@/api/schema.gen';

type Card = components['schemas']['BookCard'];

interface Get<Result> {
  put?: never;
  post?: never;
  delete?: never;
  get: { parameters: { path: { kind: string }; query?: never }; requestBody?: never; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface GetAndPost<Result, Body, Posted> extends Omit<Get<Result>, 'post'> {
  post: {
    parameters: { path: { kind: string }; query?: never };
    requestBody: { content: { 'application/json': Body } };
    responses: { 200: { content: { 'application/json': { result: Posted } } } };
  };
}

interface WireTotal {
  type: string;
  count: number;
  questions: number;
  percent: number;
}

interface WireOutcome {
  totals: WireTotal[];
  leaders: string[];
}

type WireSaved = WireOutcome & { takenAt: number };

type WireSection = WireTotal & { title: string; meaning: string; caution: string; practice: string; books: Card[] };

declare module '@/api/schema.gen' {
  interface paths {
    '/api/quiz/{kind}': Get<{ questions: { id: number; type: string; statement: string }[] }>;
    '/api/quiz/{kind}/results': GetAndPost<{ results: WireSaved[]; hasReport: boolean }, { answers: { id: number; answer: boolean }[] }, WireOutcome>;
    '/api/quiz/{kind}/report': Get<{ result: WireSaved; sections: WireSection[] }>;
  }
}

export {};
