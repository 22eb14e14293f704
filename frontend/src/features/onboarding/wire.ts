// The calls of onboarding that the server's description does not have yet. Each declaration goes when `schema.gen.ts` has the call.
import type { components } from '@/api/schema.gen';

interface Get<Result, Query = never> {
  put?: never;
  post?: never;
  delete?: never;
  get: { parameters: { query?: Query }; requestBody?: never; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface WireGoal {
  id: number;
  title: string;
  shortTitle: string;
  mobileTitle: string;
  desc: string;
}

interface WireOnboarding {
  goals: WireGoal[];
  categories: components['schemas']['Category'][];
  books: components['schemas']['BookCard'][];
  figures: { readers: number | null; reads: number | null; ratings: number | null; rating: number | null };
}

declare module '@/api/schema.gen' {
  interface paths {
    '/api/onboarding': Get<WireOnboarding>;
    '/api/onboarding/books': Get<{ books: components['schemas']['BookCard'][] }, { goals?: string; categories?: string }>;
    '/api/onboarding/choices': {
      get?: never;
      post?: never;
      delete?: never;
      put: {
        requestBody: { content: { 'application/json': { goals?: number[]; categories?: number[] } } };
        responses: { 200: { content: { 'application/json': { result: Record<string, never> } } } };
      };
    };
  }
}

export {};
