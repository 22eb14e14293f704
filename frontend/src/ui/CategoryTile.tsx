import { Link } from 'react-router';
import type { Category } from '@/api/types';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { paths } from '@/paths';

/** The categories as picture tiles, each linking to its books. */
export function CategoryTiles({ categories }: { categories: readonly Category[] }) {
  return (
    <ul className="categories">
      {categories.map((category) => (
        <li key={category.id}>
          <Link className={`category-tile ${hueClass(category.hue)}`} to={paths.booksOf(category.subid)}>
            {category.small_image ? <img className="category-tile__image" src={category.small_image} alt="" width="52" height="52" loading="lazy" /> : null}
            <span className="category-tile__name">
              {category.name}
              <span className="category-tile__count">{plural(category.bookCount, 'summary', 'summaries')}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
