import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { accountQuery } from '@/shared/session/account';
import { GoalDays } from '@/shared/goal/GoalDays';
import { todayText, useGoal } from '@/shared/goal/GoalToday';
import { goalText } from '@/shared/goal/goal';
import { GoalDialog } from '@/features/reading-progress/progress/components/GoalDialog';
import { Button } from '@/ui/Button';

/** The section of the daily goal (reading-progress.daily-goal). */
export function DailyGoal(): ReactNode {
  const { data: account } = useQuery(accountQuery());
  const state = useGoal(account?.id);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="section" aria-labelledby="goal">
      <h2 className="section__title" id="goal">
        Daily goal
      </h2>
      {state?.goal ? (
        <div className="goal">
          <GoalDays state={state} />
          <div>
            <p className="goal__today tabular">{todayText(state)}</p>
            <p className="goal__none">{`${goalText(state.goal)} a day. Missing it has no consequence.`}</p>
          </div>
        </div>
      ) : (
        <p className="goal__none">Choose how much you want to read or listen each day. Home shows how far you are.</p>
      )}
      {state ? (
        <p className="goal__change">
          <Button onClick={() => setIsOpen(true)}>{state.goal ? 'Change goal' : 'Set a goal'}</Button>
        </p>
      ) : null}
      {isOpen && state ? <GoalDialog state={state} onClose={() => setIsOpen(false)} /> : null}
    </section>
  );
}
