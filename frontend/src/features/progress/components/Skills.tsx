import { Link } from 'react-router';
import type { Progress } from '@/api/types';
import { Ring } from '@/features/progress/components/Ring';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { paths } from '@/paths';

/** A ring for each skill in its category's hue; ten summaries close it (member.md §9). */
export function Skills({ skills }: { skills: Progress['skills'] }) {
  const sorted = [...skills].sort((a, b) => b.count - a.count);
  return (
    <ul className="skills">
      {sorted.map(({ category, count, target }) => (
        <li key={category.id} className={`skill ${hueClass(category.hue)}${count === 0 ? ' skill--none' : ''}`}>
          <Ring share={count / target} width={9} className="skill__ring">
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
            <span aria-hidden="true">{count >= target ? 'Acquired' : `${count} of ${target}`}</span>
            <span className="visually-hidden">{`${plural(count, 'summary', 'summaries')} of ${target}${count >= target ? ', acquired' : ''}`}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
