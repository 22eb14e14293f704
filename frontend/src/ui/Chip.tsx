import { Link } from 'react-router';
import type { CategoryRef } from '@/api/types';
import { hueClass } from '@/lib/hue';
import { paths } from '@/paths';

/** A category as a link to its books, in the category's hue. */
export function CategoryChip({ category, small = false }: { category: CategoryRef; small?: boolean }) {
  return (
    <Link className={`chip ${small ? 'chip--small ' : ''}${hueClass(category.hue)}`} to={paths.booksOf(category.subid)}>
      {category.name}
    </Link>
  );
}
