import type { Progress } from '@/api/types';
import { Medal } from '@/features/reading-progress/progress/components/Medal';
import { formatDay, formatNumber } from '@/lib/format';

/** The number of segments of each medal, the lowest award first. */
const SEGMENTS = [3, 5, 7, 9, 12];

/** The five awards as steps of one path, filled according to the XP (reading-progress.award-thresholds). */
export function Awards({ progress }: { progress: Pick<Progress, 'awards' | 'xp'> }) {
  const next = progress.awards.findIndex((award) => !award.achieved);
  return (
    <ol className="awards">
      {progress.awards.map((award, i) => {
        const from = progress.awards[i - 1]?.xp ?? 0;
        const reached = Math.min(1, Math.max(0, (progress.xp - from) / (award.xp - from)));
        return (
          <li key={award.name} className={award.achieved ? 'award award--achieved' : 'award'}>
            <span className="award__way" aria-hidden="true">
              <span className="award__gone" style={{ ['--gone' as string]: reached }} />
            </span>
            <Medal segments={SEGMENTS[i] ?? 12} />
            <span className="award__text">
              <span className="award__name">{award.name}</span>
              <span className="award__xp tabular">{`${formatNumber(award.xp)} XP`}</span>
              <span className="visually-hidden">{award.achieved ? ', achieved' : ', not yet'}</span>
              {award.achievedAt === null ? (
                i === next ? (
                  <span className="award__when tabular">{`${formatNumber(award.xp - progress.xp)} XP to go`}</span>
                ) : null
              ) : (
                <time className="award__when" dateTime={new Date(award.achievedAt).toISOString()}>
                  {formatDay(award.achievedAt)}
                </time>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
