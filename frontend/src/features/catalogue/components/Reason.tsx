import type { BookCard } from '@/api/types';

/** Why a book is recommended: one of the member's chosen categories, which count most (reading-progress.recommended-books), or its readers. */
export function Reason({ book, chosen }: { book: Pick<BookCard, 'categories'>; chosen: readonly number[] }) {
  const category = book.categories.find(({ id }) => chosen.includes(id));
  return <p className="book-card__reason">{category ? `Because you chose ${category.name}` : 'Liked by other readers'}</p>;
}
