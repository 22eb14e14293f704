import { Link } from 'react-router';
import { booksByMonth } from '@/features/reading-progress/progress/year';
import type { YearOfReading } from '@/features/reading-progress/progress/year';
import { paths } from '@/paths';
import { BookCover } from '@/ui/BookCard';

/** The covers of the completed summaries by month, in the order of their completion. */
export function YearBooks({ books, zone }: Pick<YearOfReading, 'books'> & { zone: string }) {
  return (
    <section className="section" aria-labelledby="books">
      <h2 className="section__title" id="books">
        What you read
      </h2>
      <div className="year-books">
        {booksByMonth(books, zone).map((month) => (
          <div key={month.id} className="year-books__group">
            <h3 className="year-books__month">
              {month.name} <span className="year-books__count tabular">{month.books.length}</span>
            </h3>
            <ul className="year-books__covers">
              {month.books.map((book) => (
                <li key={book.id}>
                  <Link className="year-books__book" to={paths.book(book.subid)} title={book.title}>
                    <span className="book-card__cover">
                      <BookCover book={book} />
                      <span className={book.image ? 'visually-hidden' : 'year-books__title'}>{`${book.title} by ${book.author}`}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
