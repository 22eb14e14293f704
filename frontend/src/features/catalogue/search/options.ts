// Search results as one list of options, for the arrow keys.
import type { BookCard, SearchResult } from '@/api/types';
import { areNear, nearNotice } from '@/shared/catalogue/nearHits';
import { plural } from '@/lib/format';
import { paths } from '@/paths';

export type Option = {
  id: string;
  to: string;
} & (
  | { kind: 'book'; book: BookCard }
  | { kind: 'name'; label: string; hint: string; image?: string | null }
  | { kind: 'recent' | 'all' | 'suggest'; label: string }
  /** A search to offer instead. */
  | { kind: 'offer'; label: string; text: string }
);

export interface Group {
  title: string;
  /** Shown above the books when they are only related to the query. */
  notice?: string;
  options: Option[];
}

/** The non-empty groups of results, in display order. */
export function groupsOf(found: SearchResult, typed: string): Group[] {
  const book = (one: BookCard): Option => ({
    kind: 'book',
    id: `book-${one.id}`,
    to: paths.bookFound(one),
    book: one,
  });
  const groups: Group[] = [
    { title: 'Summaries', options: found.books.map(book), ...(areNear(found.books) && { notice: nearNotice(typed) }) },
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
  const offered = found.didYouMean;
  const offer: Option[] = offered ? [{ kind: 'offer', id: 'offer', to: paths.search(offered), label: `Did you mean “${offered}”?`, text: offered }] : [];
  if (found.books.length === 0) return offer.length > 0 ? [...some, { title: '', options: offer }] : some;
  const more: Option[] = [...offer, { kind: 'all', id: 'all', to: paths.search(typed), label: `All summaries for “${typed}”` }];
  if (areNear(found.books)) more.push({ kind: 'suggest', id: 'suggest', to: paths.suggestTitle(typed), label: `Suggest a book about “${typed}”` });
  return [...some, { title: '', options: more }];
}

/** A summary of the results for screen readers. */
export function summaryOf(groups: readonly Group[]): string {
  const notice = groups.find((group) => group.notice)?.notice;
  const counts = groups.filter(({ title }) => title !== '').map(({ title, options }) => `${title}: ${options.length}`);
  return counts.length === 0 ? 'Nothing found' : [...(notice ? [notice] : []), counts.join(', ')].join(' ');
}
