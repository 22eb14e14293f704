// The links of a topic's map: their kinds in words, and what the URL's filters leave of them.
import type { IdeaLink, LinkKind } from '@/features/catalogue/ideas/queries';

/** The kinds, between two ideas. */
export const KINDS: readonly { value: LinkKind; label: string; words: string }[] = [
  { value: 'agrees', label: 'Agrees', words: 'agrees with' },
  { value: 'contradicts', label: 'Contradicts', words: 'contradicts' },
  { value: 'builds-on', label: 'Builds on', words: 'builds on' },
];

export const kindWords = (kind: LinkKind): string => KINDS.find(({ value }) => value === kind)?.words ?? '';

export interface LinkedBook {
  subid: string;
  title: string;
  author: string;
  links: number;
}

/** The books of the links, from A to Z, with the number of their links. */
export function booksOf(links: readonly IdeaLink[]): LinkedBook[] {
  const books = new Map<string, LinkedBook>();
  for (const { subid, bookTitle, author } of links.flatMap(({ from, to }) => [from, to])) {
    const { links: before } = books.get(subid) ?? { links: 0 };
    books.set(subid, { subid, title: bookTitle, author, links: before + 1 });
  }
  return [...books.values()].sort((one, other) => one.title.localeCompare(other.title, 'en'));
}

export interface LinkFilter {
  /** Null: links of all kinds. */
  kind: LinkKind | null;
  /** The slug of a book; null: links of all books. */
  book: string | null;
}

/** The filter in the URL. What names no kind or no book of the topic is no filter. */
export function filterOf(params: URLSearchParams, links: readonly IdeaLink[]): LinkFilter {
  const [kind, book] = [params.get('kind'), params.get('book')];
  return {
    kind: KINDS.find(({ value }) => value === kind)?.value ?? null,
    book: links.some(({ from, to }) => from.subid === book || to.subid === book) ? book : null,
  };
}

export const matches = ({ kind, from, to }: IdeaLink, filter: LinkFilter): boolean =>
  (filter.kind === null || kind === filter.kind) && (filter.book === null || from.subid === filter.book || to.subid === filter.book);
