import { Link } from 'react-router';
import type { YearOfReading } from '@/features/reading-progress/progress/year';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { paths } from '@/paths';

/** The categories of which most summaries were completed, each in its hue. */
export function YearCategories({ categories }: Pick<YearOfReading, 'categories'>) {
  const most = Math.max(...categories.map(({ count }) => count));
  return (
    <section aria-labelledby="categories">
      <h2 className="section__title" id="categories">
        Most read
      </h2>
      <ol className="year-categories">
        {categories.map(({ count, ...category }) => (
          <li key={category.id} className={`year-categories__category ${hueClass(category.hue)}`}>
            <Link className="year-categories__name" to={paths.booksOf(category.subid)}>
              {category.name}
            </Link>
            <span className="year-categories__count">{plural(count, 'summary', 'summaries')}</span>
            <span className="year-categories__bar" style={{ ['--share' as string]: count / most }} aria-hidden="true" />
          </li>
        ))}
      </ol>
    </section>
  );
}
