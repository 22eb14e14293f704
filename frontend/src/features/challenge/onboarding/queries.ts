import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import type { Choices } from '@/shared/session/onboardingChoices';

export type Onboarding = ResultOf<'GET /api/onboarding'>;

/** The data of the steps: goals, categories, five books, and this site's statistics. */
export const onboardingQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'onboarding'],
    queryFn: ({ signal }) => call('GET /api/onboarding', { signal }),
    staleTime: 10 * 60_000,
    retryOnMount: false,
  });

/** Five books that match the choices. */
export const fittingBooksQuery = ({ goals, categories }: Choices) =>
  queryOptions({
    queryKey: [viewer(), 'onboarding-books', goals, categories],
    queryFn: async ({ signal }) =>
      (await call('GET /api/onboarding/books', { query: { goals: goals.join(','), categories: categories.join(',') }, signal })).books,
    retryOnMount: false,
  });
