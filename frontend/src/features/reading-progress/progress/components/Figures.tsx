import type { ReactNode } from 'react';
import type { Progress } from '@/api/types';
import { Ring } from '@/features/reading-progress/progress/components/Ring';
import { dayName, lastDays } from '@/features/reading-progress/progress/calendar';
import { formatNumber, plural } from '@/lib/format';

/** The number of days beside the streak: two weeks, ending today. */
const DAYS_DRAWN = 14;

/** The next award after the level reached, or null at the top. */
export const nextAward = (progress: Pick<Progress, 'awards'>) => progress.awards.find((award) => !award.achieved) ?? null;

/** The progress between two levels, 0 to 1; 1 at the last level. */
export function levelShare({ xp, levelXp: { from, to } }: Pick<Progress, 'xp' | 'levelXp'>): number {
  if (to === null || to <= from) return 1;
  return Math.min(1, Math.max(0, (xp - from) / (to - from)));
}

/** Level, books, XP and streak: the page's summary. */
export function Figures({ progress }: { progress: Progress }) {
  const { numCompleted, xp, streaks, level } = progress;
  const next = nextAward(progress);
  const days = lastDays(progress.today, progress.days, DAYS_DRAWN);
  return (
    <section className="figures" aria-label="At a glance">
      <div className="figures__level">
        <Ring share={levelShare(progress)} width={7} className="figures__ring">
          <h2 className="figures__level-name">Level</h2>
          <p className="figures__level-number tabular">{level}</p>
        </Ring>
        <p className="figures__next">
          {next ? (
            <>
              <strong className="tabular">{`${formatNumber(next.xp - xp)} XP`}</strong> {`to ${next.name}`}
            </>
          ) : (
            'Every award is yours.'
          )}
        </p>
      </div>
      <div className="figures__rest">
        <Figure title="Books completed" value={formatNumber(numCompleted)} />
        <Figure title="XP" value={formatNumber(xp)} />
        <Figure title="Streak" value={plural(streaks.currentStreak, 'day')} note={`Best: ${plural(streaks.bestStreak, 'day')}`}>
          <span className="streak" aria-hidden="true">
            {days.map(({ day, completions, today }, i) => (
              <span
                key={day}
                className={[
                  'streak__day',
                  completions > 0 && (days.length - i <= streaks.currentStreak + 1 ? 'streak__day--now' : 'streak__day--read'),
                  today && 'streak__day--today',
                ]
                  .filter(Boolean)
                  .join(' ')}
                title={dayName(day)}
              />
            ))}
          </span>
        </Figure>
      </div>
    </section>
  );
}

function Figure({ title, value, note, children }: { title: string; value: string; note?: string; children?: ReactNode }) {
  return (
    <div className="figure">
      <h2 className="figure__title">{title}</h2>
      <p className="figure__value tabular">{value}</p>
      {children}
      {note ? <p className="figure__note">{note}</p> : null}
    </div>
  );
}
