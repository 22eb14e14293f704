// The links of a key idea with those of other books, as they are said at its end.
import type { ResultOf } from '@/api/types';

type IdeaLink = ResultOf<'GET /api/books/{id}/idea-links'>['links'][number];

export interface LinkedIdea {
  id: number;
  kind: IdeaLink['kind'];
  /** How the other idea relates to this one: 'Mill disagrees'. */
  words: string;
  other: IdeaLink['from'];
  note: string;
}

function wordsOf({ kind, from }: IdeaLink, other: IdeaLink['from']): string {
  switch (kind) {
    case 'agrees':
      return `${other.author} agrees`;
    case 'contradicts':
      return `${other.author} disagrees`;
    case 'builds-on':
      return from === other ? `${other.author} builds on this` : `This builds on ${other.author}`;
  }
}

/** The links of a book's section (catalogue.idea-links). */
export function linkedIdeasOf(links: readonly IdeaLink[], book: number, section: number): LinkedIdea[] {
  const isHere = (end: IdeaLink['from']) => end.bookId === book && end.section === section;
  return links.flatMap((link) => {
    if (!isHere(link.from) && !isHere(link.to)) return [];
    const other = isHere(link.from) ? link.to : link.from;
    return [{ id: link.id, kind: link.kind, words: wordsOf(link, other), other, note: link.note }];
  });
}
