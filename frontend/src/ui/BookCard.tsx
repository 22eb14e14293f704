import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BookCard as Card } from '@/api/types';
import { pictureSizes } from '@/lib/pictures';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import { Stars } from '@/ui/Stars';
import { PlanRequired } from '@/ui/PlanRequired';

const SIZES = '(min-width: 76rem) 14rem, (min-width: 60rem) 22vw, (min-width: 40rem) 30vw, 45vw';

interface CoverProps {
  book: Pick<Card, 'image'>;
  eager?: boolean;
  /** How wide it is shown, as in `sizes` of an `img`. */
  sizes?: string;
}

/** A book without a picture gets an empty cover. */
export function BookCover({ book, eager = false, sizes = SIZES }: CoverProps) {
  if (!book.image) return null;
  return (
    <img
      className="book-card__image"
      src={book.image}
      {...pictureSizes(book.image, sizes)}
      alt=""
      width="600"
      height="900"
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
    />
  );
}

export function BookMeta({ book, locked = false }: { book: Card; locked?: boolean }) {
  return (
    <p className="book-card__meta">
      {book.free ? <span className="badge badge--free">Free</span> : null}
      {locked ? <PlanRequired /> : null}
      {book.comingSoon ? (
        <span className="badge badge--soon">Coming soon</span>
      ) : (
        <span className="book-card__meta-item">
          <Icon name="clock" />
          {`${book.minutes} min`}
        </span>
      )}
      {book.hasMedia ? (
        <span className="book-card__meta-item">
          <Icon name="headphones" />
          Audio
        </span>
      ) : null}
      {book.hasVideo ? (
        <span className="book-card__meta-item">
          <Icon name="video" />
          Video
        </span>
      ) : null}
      {book.rating === null ? null : <Stars rating={book.rating} />}
    </p>
  );
}

interface Props {
  book: Card;
  /** The first covers on a page are loaded eagerly. */
  eager?: boolean;
  /** Requires a plan that the viewer does not have. */
  locked?: boolean;
  /** Content under the card: progress, a control. Interactive content is stacked above the card's own link. */
  children?: ReactNode;
}

/** A book in a grid or on a shelf. The server renders the same markup in its public pages. */
export function BookCard({ book, eager = false, locked = false, children }: Props) {
  return (
    <article className="book-card">
      <div className="book-card__cover">
        <BookCover book={book} eager={eager} />
      </div>
      <div className="book-card__text">
        <h3 className="book-card__title">
          <Link className="book-card__link" to={paths.book(book.subid)}>
            {book.title}
          </Link>
        </h3>
        <p className="book-card__author">{book.author}</p>
        <BookMeta book={book} locked={locked} />
        {children}
      </div>
    </article>
  );
}

interface BooksProps {
  books: readonly Card[];
  /** How many covers are visible without scrolling and so are loaded eagerly. */
  eager?: number;
  className?: string;
  /** Content under a book's card. */
  note?: (book: Card) => ReactNode;
}

/** Books as a grid (`book-grid`) or as a horizontally scrolling row (`book-shelf`). */
export function BookGrid({ books, eager = 0, className = 'book-grid', note }: BooksProps) {
  return (
    <ul className={className}>
      {books.map((book, i) => (
        <li key={book.id}>
          <BookCard book={book} eager={i < eager}>
            {note?.(book)}
          </BookCard>
        </li>
      ))}
    </ul>
  );
}
