import '@/features/study/components/listHead.css';
import type { ReactNode } from 'react';
import type { BookCard } from '@/api/types';
import { plural } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';

interface Props {
  name: string;
  /** Plain text; empty: none. */
  note: string;
  books: readonly BookCard[];
  /** Whose list it is. */
  from?: ReactNode;
  /** What can be done with the list. */
  children?: ReactNode;
}

/** The head of a list's page. The server renders the same markup. */
export function ListHead({ name, note, books, from, children }: Props) {
  return (
    <header className="list-head">
      <h1 className="page__title">{name}</h1>
      {from ? <p className="list-head__from">{from}</p> : null}
      {note === '' ? null : <p className="list-head__note">{note}</p>}
      <p className="list-head__count">{summariesText(books)}</p>
      {children}
    </header>
  );
}

export const ListHeadSkeleton = () => (
  <div className="list-head" aria-hidden="true">
    <p className="page__title">
      <SkeletonText width={60} />
    </p>
    <SkeletonText width={80} />
  </div>
);

/** '12 summaries, 2 coming soon': how many there are, as other lists of books say it. */
export function summariesText(books: readonly BookCard[]): string {
  const coming = books.filter(({ comingSoon }) => comingSoon).length;
  return `${plural(books.length, 'summary', 'summaries')}${coming > 0 ? `, ${coming} coming soon` : ''}`;
}

/** Under a book's card: that it was finished, or by whom. */
export const FinishedMark = ({ children = 'Finished' }: { children?: ReactNode }) => (
  <p className="reading-progress reading-progress--done list-finished">
    <Icon name="check" />
    {children}
  </p>
);
