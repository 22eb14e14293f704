import { useId } from 'react';
import { Link } from 'react-router';
import type { SessionIdea } from '@/features/study/session/queries';
import type { SessionRequest } from '@/features/study/session/request';
import { sectionTitle } from '@/lib/sections';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

interface Props {
  request: SessionRequest;
  /** How many ideas the session has. */
  total: number;
  /** Those that were completed. */
  done: readonly SessionIdea[];
}

/** 5, 5 → 'You have completed all 5 ideas' */
function completedText(done: number, total: number): string {
  if (done < total) return `You have completed ${done} of ${total} ideas`;
  return total === 1 ? 'You have completed the idea' : `You have completed all ${total} ideas`;
}

/** After the last idea: what was completed, by book, and what comes next. */
export function SessionEnd({ request, total, done }: Props) {
  const titleId = useId();
  const books = new Map(done.map(({ book }) => [book.id, book]));
  return (
    <section className="session-end session__step" aria-labelledby={titleId}>
      <div className="reader__column">
        <h2 className="session-end__title" id={titleId} tabIndex={-1}>
          {completedText(done.length, total)}
        </h2>
        <ul className="session-end__books">
          {[...books.values()].map((book) => {
            const ideas = done.filter((idea) => idea.book.id === book.id);
            return (
              <li key={book.id} className="session-end__book">
                <p>
                  <Link className="link" to={paths.bookAt(book.subid, ideas.at(-1)?.section ?? 0)}>
                    {book.title}
                  </Link>{' '}
                  <span className="session-end__author">by {book.author}</span>
                </p>
                <ul className="session-end__ideas">
                  {ideas.map(({ section, title }) => (
                    <li key={section}>{sectionTitle(title)}</li>
                  ))}
                </ul>
              </li>
            );
          })}
        </ul>
        <div className="session-end__actions">
          <LinkButton kind="primary" large to={paths.session} state={request}>
            Another session
          </LinkButton>
          <LinkButton large to={paths.home}>
            Back to My Home
          </LinkButton>
        </div>
      </div>
    </section>
  );
}
