// The calls of the challenge, until the server's description has them. Each declaration goes when `schema.gen.ts` has the call.
import type { components } from '@/api/schema.gen';

interface Post<Result, Body> {
  get?: never;
  put?: never;
  delete?: never;
  post: { requestBody: { content: { 'application/json': Body } }; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface Get<Result> {
  put?: never;
  post?: never;
  delete?: never;
  get: { parameters: { query?: never }; requestBody?: never; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface WireGoal {
  id: number;
  title: string;
  shortTitle: string;
  mobileTitle: string;
  desc: string;
}

type WirePlanBook = components['schemas']['BookCard'] & { dayNo: number; done: boolean };

declare module '@/api/schema.gen' {
  interface paths {
    '/api/goals': Get<{ goals: WireGoal[]; userGoals: WireGoal[]; userBookRecommendations: WirePlanBook[] }>;
    '/api/user/ten-day-challenge': Post<{ books: WirePlanBook[]; bookIds: number[]; userGoalTitles: string[] }, { goals: number[]; email?: string }>;
    '/api/user/ten-day-challenge-submit': Post<Record<string, never>, { goals: number[]; bookIds: number[] }>;
  }
}

export {};
