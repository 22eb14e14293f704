import type { BookCard } from '@/api/types';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { NotFound } from '@/ui/NotFound';
import { EmptyState } from '@/ui/State';

/** The book that the page is about: cover, title, author. */
export function BookHeader({ book }: { book: BookCard }) {
  return (
    <div className="book-header">
      {book.image ? <img className="the-book__cover" src={book.image} alt="" width={64} height={96} /> : null}
      <div>
        <p className="the-book__title">{book.title}</p>
        <p className="the-book__author">{book.author}</p>
      </div>
    </div>
  );
}

/** The URL names no book. */
export const BookNotFound = () => <NotFound what="There is no such book." to={paths.books} label="Browse book summaries" />;

/** The book is coming soon: there is no file yet. */
export const ComingSoon = ({ book }: { book: BookCard }) => (
  <EmptyState title="Coming soon" actions={<LinkButton to={paths.book(book.subid)}>About the book</LinkButton>}>
    <p>This summary has not been written yet.</p>
  </EmptyState>
);
