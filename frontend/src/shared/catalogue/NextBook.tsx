import { Link } from 'react-router';
import type { NextBook as Next } from '@/shared/catalogue/useNextBooks';
import { usesFree } from '@/lib/format';
import { paths } from '@/paths';
import { BookCover, BookMeta } from '@/ui/BookCard';
import { SkeletonText } from '@/ui/Skeleton';

interface Props {
  /** Null while it is loading. */
  next: Next | null;
  onLeave?: () => void;
}

/** The recommended next book. */
export function NextBook({ next, onLeave }: Props) {
  if (!next) {
    return (
      <div className="next-book" aria-hidden="true">
        <span className="skeleton skeleton--cover" />
        <div>
          <SkeletonText width={70} />
          <SkeletonText width={45} />
        </div>
      </div>
    );
  }
  const { book, locked, takes } = next;
  return (
    <article className="next-book book-card">
      <div className="book-card__cover">
        <BookCover book={book} eager />
      </div>
      <div>
        <p className="next-book__lead">Recommended for you</p>
        <h3 className="book-card__title">
          <Link className="book-card__link" to={paths.book(book.subid)} onClick={onLeave}>
            {book.title}
          </Link>
        </h3>
        <p className="book-card__author">{book.author}</p>
        <BookMeta book={book} locked={locked} />
        {takes ? <p className="next-book__takes">{`Reading ${usesFree(takes)}`}</p> : null}
      </div>
    </article>
  );
}
