import type { Progress } from '@/api/types';
import { formatNumber } from '@/lib/format';
import { Icon } from '@/ui/Icon';

/** The five awards as stations of one path; the line is filled as far as the XP reach (member.md §3). */
export function Awards({ progress }: { progress: Pick<Progress, 'awards' | 'xp'> }) {
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
            <span className="award__medal" aria-hidden="true">
              <Icon name={award.achieved ? 'check' : 'award'} />
            </span>
            <span className="award__text">
              <span className="award__name">{award.name}</span>
              <span className="award__xp tabular">{`${formatNumber(award.xp)} XP`}</span>
              <span className="visually-hidden">{award.achieved ? ', achieved' : ', not yet'}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
