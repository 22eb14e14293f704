import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Challenge = ResultOf<'GET /api/goals'>;
export type Goal = Challenge['goals'][number];
export type PlanBook = Challenge['userBookRecommendations'][number];

/** The goals, and the member's saved plan, whose days are done when their books are completed. */
export const challengeQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'ten-day-challenge'],
    queryFn: ({ signal }) => call('GET /api/goals', { signal }),
    staleTime: 0,
    retryOnMount: false,
  });

/** A book of a plan that is not saved, and how the viewer gets to read it (challenge.plan-access). */
export type DraftBook = ResultOf<'POST /api/user/ten-day-challenge'>['books'][number];

export type DailyMail = ResultOf<'GET /api/user/ten-day-challenge/daily-mail'>;

/** The hour of the member's daily mail, if they have one. */
export const dailyMailQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'daily-mail'],
    queryFn: ({ signal }) => call('GET /api/user/ten-day-challenge/daily-mail', { signal }),
    staleTime: 0,
    retryOnMount: false,
  });
