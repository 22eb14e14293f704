import { Link } from 'react-router';
import { LOST } from '@/features/admin/content/ideaLinks/queries';
import type { LinkedIdea } from '@/features/admin/content/ideaLinks/queries';
import '@/features/admin/content/ideaLinks/ideaLinks.css';

interface Props {
  idea: LinkedIdea;
  /** Where the heading leads. */
  to?: string;
  linkClass?: string;
}

/** A key idea's heading with its book below; it says when the heading is no longer in the book. */
export function IdeaOfBook({ idea: { idea, bookTitle, section }, to, linkClass = 'data-table__title' }: Props) {
  return (
    <span className="linked-idea">
      {to === undefined ? (
        <span>{idea}</span>
      ) : (
        <Link className={linkClass} to={to}>
          {idea}
        </Link>
      )}
      <span className="data-table__faint">{bookTitle}</span>
      {section === null ? <span className="badge badge--warn">{LOST}</span> : null}
    </span>
  );
}
