import { amountOf } from '@/shared/goal/goal';
import type { GoalState } from '@/shared/goal/goal';
import { plural } from '@/lib/format';
import '@/shared/goal/goal.css';

/** The last seven days as bars that are full when the goal is met. */
export function GoalDays({ state: { goal, days } }: { state: GoalState }) {
  if (!goal) return null;
  const met = days.filter(({ isMet }) => isMet).length;
  return (
    <div className="goal-days">
      <span className="visually-hidden">{`Goal met on ${plural(met, 'day')} of the last ${days.length}.`}</span>
      <svg className="goal-days__bars" viewBox={`0 0 ${days.length * 10} 24`} aria-hidden="true" focusable="false">
        {days.map((day, i) => {
          const height = Math.min(1, amountOf(day, goal) / goal.amount) * 24;
          return (
            <g key={day.day}>
              <rect className="goal-days__track" x={i * 10 + 1} y="0" width="7" height="24" rx="2" />
              {height > 0 ? (
                <rect
                  className={day.isMet ? 'goal-days__bar goal-days__bar--met' : 'goal-days__bar'}
                  x={i * 10 + 1}
                  y={24 - height}
                  width="7"
                  height={height}
                  rx="2"
                />
              ) : null}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
