// Home's row of the daily goal: Home loads it for members who have one.
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { User } from '@/api/types';
import { GoalDays } from '@/shared/goal/GoalDays';
import { amountOf, goalQuery, goalText, withOwnTime } from '@/shared/goal/goal';
import type { GoalState } from '@/shared/goal/goal';
import { secondsOn } from '@/shared/readingTime/countedTime';
import { storedTime } from '@/shared/readingTime/timeStorage';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** What was counted on this device is seen again when the page is. */
const onShown = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** The goal with the time of this device, of which the server may lack the latest minutes. */
export function useGoal(member: number | undefined): GoalState | undefined {
  const { data } = useQuery(goalQuery());
  const own = useSyncExternalStore(onShown, () => (data && member !== undefined ? secondsOn(storedTime(member), data.today) : 0));
  return data && withOwnTime(data, own);
}

/** { minutes, 20 }, 12 → '12 of 20 minutes today' */
export function todayText({ goal, days }: GoalState): string {
  const today = days.at(-1);
  if (!goal || !today) return '';
  return today.isMet ? `Goal met today: ${goalText({ ...goal, amount: amountOf(today, goal) })}` : `${amountOf(today, goal)} of ${goalText(goal)} today`;
}

export function GoalToday({ user }: { user: User | undefined }) {
  const state = useGoal(user?.id);
  if (!state?.goal) return null;
  return (
    <div className="home__due">
      <div className="goal-today">
        <p className="home__due-text tabular">{todayText(state)}</p>
        <GoalDays state={state} />
      </div>
      <LinkButton to={`${paths.myProgress}#goal`}>Your goal</LinkButton>
    </div>
  );
}
