import { useId, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { SessionIdea } from '@/features/study/session/queries';
import { raiseHeadings } from '@/shared/reader/position';
import { useEndOfText } from '@/shared/reader/useEndOfText';
import { ideaOf } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { sectionTitle } from '@/lib/sections';
import { paths } from '@/paths';
import { BookCover } from '@/ui/BookCard';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { Prose } from '@/ui/Prose';

interface Props {
  idea: SessionIdea;
  /** The index in the session. */
  index: number;
  total: number;
  isDone: boolean;
  /** What the recording does, if it is at this idea. */
  heard: 'Playing' | 'Paused' | null;
  /** Whether its end on the screen completes it; not while the session is heard. */
  isRead: boolean;
  /** How often the page has scrolled by itself. */
  arrivals: number;
  onRead: () => void;
  /** The button at its end: completes the idea and goes on. */
  onGoOn: () => void;
}

/** A key idea of a session: where it is from, its text, and what follows at its end. */
export function IdeaView({ idea, index, total, isDone, heard, isRead, arrivals, onRead, onGoOn }: Props) {
  const { book, section, sections, title, html, isLeftOpen } = idea;
  const titleId = useId();
  const fromId = useId();
  const end = useRef<HTMLSpanElement>(null);
  useEndOfText(end, isRead && !isDone, onRead, arrivals);
  const text = useMemo(() => raiseHeadings(html), [html]);
  const isLast = index === total - 1;
  return (
    // While it is on a visible page, reading time counts (shared/readingTime).
    <section
      data-reading=""
      className={`session-idea session__step ${hueClass(book.categories[0]?.hue ?? 60)}`}
      aria-labelledby={titleId}
      aria-current={heard ? 'true' : undefined}
    >
      <div className="reader__column">
        <div className="session-idea__from" id={fromId}>
          <div className="session-idea__cover book-card__cover">
            <BookCover book={book} eager={index === 0} />
          </div>
          <div className="session-idea__source">
            <Link className="session-idea__book" to={paths.bookAt(book.subid, section)}>
              <cite className="session-idea__book-title">{book.title}</cite> <span className="session-idea__author">by {book.author}</span>
            </Link>
            <p className="session-idea__place tabular">
              {ideaOf(section + 1, sections)}
              {isLeftOpen ? <span className="session-idea__left-open">You stopped here</span> : null}
              {heard ? (
                <span className="session-idea__heard">
                  <Icon name="headphones" />
                  {heard}
                </span>
              ) : null}
            </p>
          </div>
          <p className="reader__place tabular" aria-hidden="true">{`${index + 1}/${total}`}</p>
        </div>
        <h2 className="reader__title" id={titleId} tabIndex={-1} aria-describedby={fromId}>
          {sectionTitle(title)}
        </h2>
        <Prose className="reader__text" html={text} />
        <span className="reader__end" ref={end} />
        <div className="session-idea__end">
          <p className="session-idea__done">
            {isDone ? (
              <>
                <Icon name="check" />
                Done
              </>
            ) : null}
          </p>
          {/* It stays when the end comes into view, so that it does not disappear as the reader reaches for it. */}
          <Button onClick={onGoOn}>{isLast ? 'Finish' : isDone ? 'Next idea' : 'Done, next idea'}</Button>
        </div>
      </div>
    </section>
  );
}
