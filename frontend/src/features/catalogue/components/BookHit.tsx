import { Link } from 'react-router';
import type { BookCard as Card } from '@/api/types';
import { paths } from '@/paths';
import { BookCover, BookMeta } from '@/ui/BookCard';
import { MarkedText } from '@/ui/MarkedText';

/** A search result: the book, the section with the match, and the matching passage if this viewer may read it. */
export function BookHit({ book, eager }: { book: Card; eager: boolean }) {
  const { match } = book;
  return (
    <article className="book-hit book-card">
      <div className="book-card__cover">
        <BookCover book={book} eager={eager} />
      </div>
      <div>
        <h3 className="book-card__title">
          <Link className="book-card__link" to={paths.bookFound(book)}>
            {book.title}
          </Link>
        </h3>
        <p className="book-card__author">{book.author}</p>
        <BookMeta book={book} />
        {match?.section ? <p className="book-hit__section">{`In “${match.section.title}”`}</p> : null}
        {match?.passage ? (
          <p className="book-hit__passage">
            <MarkedText text={match.passage} />
          </p>
        ) : null}
      </div>
    </article>
  );
}
