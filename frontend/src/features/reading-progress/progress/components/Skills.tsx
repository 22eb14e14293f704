import { Link } from 'react-router';
import type { Progress } from '@/api/types';
import { Ring } from '@/features/reading-progress/progress/components/Ring';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { paths } from '@/paths';

/** The text of a ring: out of ten summaries (reading-progress.skill-counts), or out of all if the category has fewer. */
function noteOf({ count, target, available }: Progress['skills'][number]): string {
  if (count >= target) return 'Acquired';
  if (available < target) return count >= available ? `All ${available} completed` : `${count} of ${available}`;
  return `${count} of ${target}`;
}

/** A ring for each skill in its category's hue. */
export function Skills({ skills }: { skills: Progress['skills'] }) {
  const sorted = [...skills].sort((a, b) => b.count - a.count);
  return (
    <ul className="skills">
      {sorted
        .map((skill) => ({ ...skill, note: noteOf(skill) }))
        .map(({ category, count, target, available, note }) => (
          <li key={category.id} className={`skill ${hueClass(category.hue)}${count === 0 ? ' skill--none' : ''}`}>
            <Ring share={count / Math.max(1, Math.min(target, available))} width={9} className="skill__ring">
              <span className="skill__count tabular" aria-hidden="true">
                {count}
              </span>
            </Ring>
            <h3 className="skill__name">
              <Link className="skill__link" to={paths.booksOf(category.subid)}>
                {category.name}
              </Link>
            </h3>
            <p className="skill__note">
              <span aria-hidden="true">{note}</span>
              <span className="visually-hidden">{`${plural(count, 'summary', 'summaries')}: ${note}`}</span>
            </p>
          </li>
        ))}
    </ul>
  );
}
