import '@/features/reading-progress/reading/linkedIdeas.css';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import { linkedIdeasOf } from '@/features/reading-progress/reading/linkedIdeas';
import { paths } from '@/paths';

const linksQuery = (book: number) =>
  queryOptions({
    queryKey: [viewer(), 'idea-links', book],
    queryFn: ({ signal }) => call('GET /api/books/{id}/idea-links', { path: { id: String(book) }, signal }),
    staleTime: 10 * 60_000,
    // Without the network there are none.
    retry: false,
    retryOnMount: false,
  });

interface Props {
  book: number;
  /** The section that is shown. */
  index: number;
}

/** What key ideas of other books say of this one (catalogue.idea-links). */
export function LinkedIdeas({ book, index }: Props) {
  const titleId = useId();
  const { data } = useQuery(linksQuery(book));
  const ideas = linkedIdeasOf(data?.links ?? [], book, index);
  if (ideas.length === 0) return null;
  return (
    <aside className="linked-ideas" aria-labelledby={titleId}>
      <h3 className="linked-ideas__title" id={titleId}>
        In other books
      </h3>
      <ul className="linked-ideas__list">
        {ideas.map(({ id, kind, words, other, note }) => (
          <li key={id} className={`linked-ideas__item linked-ideas__item--${kind}`}>
            <p className="linked-ideas__words">{words}</p>
            <p className="linked-ideas__idea">
              <Link className="link" to={paths.bookAt(other.subid, other.section ?? 0)}>
                {other.idea}
              </Link>{' '}
              <cite className="linked-ideas__book">{other.bookTitle}</cite>
            </p>
            <p className="linked-ideas__note">{note}</p>
          </li>
        ))}
      </ul>
      <p>
        <Link className="link linked-ideas__map" to={paths.ideas}>
          Idea map
        </Link>
      </p>
    </aside>
  );
}
