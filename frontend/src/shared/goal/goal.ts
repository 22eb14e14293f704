// The daily goal (reading-progress.daily-goal): its query, and what this device remembers of it.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { plural } from '@/lib/format';
import { readStored, writeStored } from '@/lib/browserStore';

export type GoalState = ResultOf<'GET /api/user/goal'>;
export type Goal = NonNullable<GoalState['goal']>;
export type GoalDay = GoalState['days'][number];

/** '1' while the member has a goal, as far as this device knows: Home reserves the room of its row. The day on which they had none otherwise. */
const HAS_GOAL = 'has-goal';
/** '1' while the member has switched off that reading time is counted. */
const TIME_OFF = 'reading-time-off';

const utcDay = (): string => new Date().toISOString().slice(0, 10);

export const hasGoal = (): boolean => readStored('local', HAS_GOAL) === '1';

/** Whether the member may have a goal: Home asks once a day for one that was set on another device. The day is that in UTC, which is near enough. */
export const mayHaveGoal = (): boolean => hasGoal() || (readStored('local', HAS_GOAL) ?? '') < utcDay();

/** Whether reading time is counted (reading-progress.time-switch). */
export const countsTime = (): boolean => readStored('local', TIME_OFF) !== '1';

export function rememberGoal({ goal, countsTime }: GoalState): void {
  writeStored('local', HAS_GOAL, goal ? '1' : utcDay());
  writeStored('local', TIME_OFF, countsTime ? null : '1');
}

/** Removes what this device remembers. */
export function forgetGoal(): void {
  for (const key of [HAS_GOAL, TIME_OFF]) writeStored('local', key, null);
}

export const goalQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'goal'],
    queryFn: async ({ signal }) => {
      const state = await call('GET /api/user/goal', { signal });
      rememberGoal(state);
      return state;
    },
    retryOnMount: false,
  });

/** The least and the most of a goal, by its unit. */
export const GOAL_LIMITS: Readonly<Record<Goal['unit'], { min: number; max: number }>> = {
  minutes: { min: 5, max: 180 },
  summaries: { min: 1, max: 10 },
};

/** How much of a day counts for a goal. */
export const amountOf = (day: Pick<GoalDay, 'minutes' | 'summaries'>, { unit }: Pick<Goal, 'unit'>): number =>
  unit === 'minutes' ? day.minutes : day.summaries;

/** { minutes, 20 } → '20 minutes' */
export const goalText = ({ unit, amount }: Goal): string =>
  plural(amount, unit === 'minutes' ? 'minute' : 'summary', unit === 'minutes' ? 'minutes' : 'summaries');

/**
 * The state with what this device has counted today, in seconds, of which the server may lack the latest minutes. The greater number is
 * shown, not the sum: a report whose answer did not arrive may have arrived itself.
 */
export function withOwnTime(state: GoalState, seconds: number): GoalState {
  const minutes = Math.floor(seconds / 60);
  const { goal } = state;
  const days = state.days.map((day) => {
    if (day.day !== state.today || day.minutes >= minutes) return day;
    const now = { ...day, minutes };
    return { ...now, isMet: !!goal && amountOf(now, goal) >= goal.amount };
  });
  return { ...state, days };
}
