import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { AddToListButton } from '@/shared/study/lists/AddToListButton';
import { BookCover } from '@/ui/BookCard';
import { CategoryChip } from '@/ui/Chip';
import { Icon } from '@/ui/Icon';
import { Stars } from '@/ui/Stars';
import { LibraryButton } from '@/features/reading-progress/reading/components/LibraryButton';
import { ListenActions } from '@/features/reading-progress/reading/components/ListenButton';
import { NoticeButton } from '@/features/reading-progress/reading/components/NoticeButton';
import { ReadButton } from '@/features/reading-progress/reading/components/ReadButton';

/** A book's title page. The server renders the same markup in the public page. */
export function BookIntro({ book, id, member, again = false }: { book: Book; id: string; member: number | null; again?: boolean }) {
  return (
    <header className="book-intro">
      <div className="book-intro__cover book-card__cover">
        <BookCover book={book} eager />
      </div>
      <div className="book-intro__text">
        <h1 className="book-intro__title">{book.title}</h1>
        <p className="book-intro__author">
          by <Link to={paths.author(book.authorSlug)}>{book.author}</Link>
        </p>
        <p className="book-intro__meta">
          {book.comingSoon ? (
            <span className="badge">Coming soon</span>
          ) : (
            <>
              <span className="book-card__meta-item">
                <Icon name="clock" />
                {book.listeningMinutes === null ? `${book.minutes} min` : `${book.minutes} min to read`}
              </span>
              {book.listeningMinutes === null ? null : (
                <span className="book-card__meta-item">
                  <Icon name="headphones" />
                  {`${book.listeningMinutes} min to listen`}
                </span>
              )}
              {book.sections.length > 0 ? <span className="book-card__meta-item">{plural(book.sections.length, 'key idea')}</span> : null}
            </>
          )}
          {book.rating === null ? null : (
            <span className="book-card__meta-item">
              <Stars rating={book.rating} />
              <span className="book-intro__ratings">{plural(book.ratingsCount, 'rating')}</span>
            </span>
          )}
          {book.free ? <span className="badge badge--free">Free</span> : null}
        </p>
        <p className="book-intro__description">{book.description}</p>
        {book.categories.length > 0 ? (
          <ul className="book-intro__chips chips">
            {book.categories.map((category) => (
              <li key={category.id}>
                <CategoryChip category={category} small />
              </li>
            ))}
          </ul>
        ) : null}
        <div className="book-intro__actions">
          {book.comingSoon ? <NoticeButton book={book} member={member} /> : <ReadButton book={book} id={id} member={member} again={again} />}
          <ListenActions book={book} member={member} />
          <LibraryButton book={book} id={id} />
          {member === null ? null : <AddToListButton book={book} />}
        </div>
      </div>
    </header>
  );
}
