// Search results as one list of options, for the arrow keys.
import type { BookCard, SearchResult } from '@/api/types';
import { plural } from '@/lib/format';
import { paths } from '@/paths';

export type Option = {
  id: string;
  to: string;
} & ({ kind: 'book'; book: BookCard } | { kind: 'name'; label: string; hint: string; image?: string | null } | { kind: 'recent' | 'all'; label: string });

export interface Group {
  title: string;
  options: Option[];
}

/** The groups in the order in which they are shown; empty ones are left out. */
export function groupsOf(found: SearchResult, typed: string): Group[] {
  const book = (one: BookCard): Option => ({
    kind: 'book',
    id: `book-${one.id}`,
    to: paths.bookFound(one),
    book: one,
  });
  const groups: Group[] = [
    { title: 'Summaries', options: found.books.map(book) },
    {
      title: 'Authors',
      options: found.authors.map(({ slug, name, bookCount }) => ({
        kind: 'name',
        id: `author-${slug}`,
        to: paths.author(slug),
        label: name,
        hint: plural(bookCount, 'summary', 'summaries'),
      })),
    },
    {
      title: 'Categories',
      options: found.categories.map(({ id, subid, name, bookCount, small_image }) => ({
        kind: 'name',
        id: `category-${id}`,
        to: paths.category(subid),
        label: name,
        hint: plural(bookCount, 'summary', 'summaries'),
        image: small_image,
      })),
    },
    {
      title: 'Collections',
      options: found.collections.map(({ id, title, subtitle, image }) => ({
        kind: 'name',
        id: `collection-${id}`,
        to: paths.collection(id),
        label: title,
        hint: subtitle,
        image,
      })),
    },
    {
      title: 'Tags',
      options: found.tags.map(({ slug, name }) => ({ kind: 'name', id: `tag-${slug}`, to: paths.booklist('new', slug), label: name, hint: '' })),
    },
  ];
  const some = groups.filter(({ options }) => options.length > 0);
  if (found.books.length === 0) return some;
  return [...some, { title: '', options: [{ kind: 'all', id: 'all', to: paths.search(typed), label: `All summaries for “${typed}”` }] }];
}

/** A summary of the results for screen readers. */
export function summaryOf(groups: readonly Group[]): string {
  const counts = groups.filter(({ title }) => title !== '').map(({ title, options }) => `${title}: ${options.length}`);
  return counts.length === 0 ? 'Nothing found' : counts.join(', ');
}
