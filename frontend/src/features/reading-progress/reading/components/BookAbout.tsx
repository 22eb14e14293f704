import type { ReactNode } from 'react';
import type { Book } from '@/api/types';

interface Props {
  book: Pick<Book, 'title' | 'vector' | 'authorDesc' | 'quotes'>;
  /** What can be done with a quote. */
  quoteAction?: (quote: string) => ReactNode;
}

/** A drawing of the book, about the author, and quotes. */
export function BookAbout({ book, quoteAction }: Props) {
  if (book.vector === null && !book.authorDesc && book.quotes.length === 0) return null;
  return (
    <section className="book-about" aria-label="About the book">
      {book.vector === null ? null : (
        <div className="book-about__part">
          <h2 className="book-about__title">In one drawing</h2>
          {/* As an image, so that no script in the SVG can run. */}
          <img className="book-about__drawing" src={book.vector} alt={`A drawing of what “${book.title}” is about`} loading="lazy" decoding="async" />
        </div>
      )}
      {book.authorDesc ? (
        <div className="book-about__part">
          <h2 className="book-about__title">About the author</h2>
          <p>{book.authorDesc}</p>
        </div>
      ) : null}
      {book.quotes.length > 0 ? (
        <div className="book-about__part">
          <h2 className="book-about__title">In the author’s words</h2>
          {book.quotes.map((quote) => (
            <figure key={quote.text} className="book-quote">
              <blockquote className="book-quote__text">
                <p>{quote.text}</p>
              </blockquote>
              <figcaption className="book-quote__source">{quote.chapter}</figcaption>
              {quoteAction?.(quote.text)}
            </figure>
          ))}
        </div>
      ) : null}
    </section>
  );
}
