import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { plural } from '@/lib/format';
import { ListCovers } from '@/features/study/lists/components/ListCovers';

interface Props {
  name: string;
  to: string;
  /** How many books it has. */
  count: number;
  /** The first books. */
  books: readonly { key: number; title: string; image: string | null; hue?: number | null }[];
  /** What else is said of it. */
  facts?: ReactNode;
  /** What can be done with it. */
  action?: ReactNode;
  /** What is wrong with it. */
  problem?: ReactNode;
}

/** A list among others: its covers, its name, how many summaries it has. The whole entry leads to its page. */
export function ListEntry({ name, to, count, books, facts, action, problem }: Props) {
  return (
    <li className="list-entry">
      <ListCovers books={books} />
      <div className="list-entry__text">
        <h3 className="list-entry__name">
          <Link className="list-entry__link" to={to}>
            {name}
          </Link>
        </h3>
        <p className="list-entry__facts tabular">
          <span>{plural(count, 'summary', 'summaries')}</span>
          {facts}
        </p>
      </div>
      {action}
      {problem}
    </li>
  );
}
