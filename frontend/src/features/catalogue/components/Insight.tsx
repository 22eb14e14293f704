import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { insightQuery } from '@/features/catalogue/queries';
import { hueClass } from '@/lib/hue';
import { paths } from '@/paths';
import { BookCover } from '@/ui/BookCard';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';

/** The insight of the day, the same for all viewers, with its book (editorial.insight-day). */
export function Insight() {
  const { data, isPending } = useQuery(insightQuery());
  if (isPending) {
    return (
      <section className="home__section insight" aria-busy="true">
        <SkeletonText width={80} />
        <SkeletonText width={60} />
      </section>
    );
  }
  // Renders nothing when there is none, or after a failure.
  if (!data) return null;
  const { title, insight, quoted, book } = data;
  return (
    <section className={`home__section insight ${hueClass(book?.categories[0]?.hue ?? 60)}`} aria-labelledby="insight">
      {book ? (
        <div className="insight__cover book-card__cover" aria-hidden="true">
          <BookCover book={book} />
        </div>
      ) : null}
      <figure className="insight__words">
        <h2 className="insight__eyebrow" id="insight">
          Insight of the day
        </h2>
        <p className="insight__title">{title}</p>
        <blockquote className="insight__text">{quoted ? `“${insight}”` : insight}</blockquote>
        {book ? (
          <figcaption>
            <Link className="link link--more insight__book" to={paths.book(book.subid)}>
              {`${book.title}, ${book.author}`}
              <Icon name="chevronRight" />
            </Link>
          </figcaption>
        ) : null}
      </figure>
    </section>
  );
}
