import { Link } from 'react-router';
import type { Allowance } from '@/api/types';
import { useNextBooks } from '@/shared/catalogue/useNextBooks';
import { here } from '@/shared/reader/position';
import { freeLeft } from '@/lib/format';
import { plansFor } from '@/paths';
import { BookCard } from '@/ui/BookCard';
import { SkeletonBooks } from '@/ui/Skeleton';

/** How many books are shown. */
const COUNT = 5;

/** Recommendations at the end of a summary. A failure is not shown, because there is a link to home. */
export function NextBooks({ read }: { read: number }) {
  const next = useNextBooks(read);
  if (next === 'failed' || next?.books.length === 0) return null;
  return (
    <section className="next-books" aria-labelledby="next-books-title">
      <h2 className="next-books__title" id="next-books-title">
        Books Recommended For You
      </h2>
      {next?.allowance ? <AllowanceNote allowance={next.allowance} /> : null}
      {next ? (
        <ul className="book-shelf">
          {next.books.slice(0, COUNT).map(({ book, locked }) => (
            <li key={book.id}>
              <BookCard book={book} locked={locked} />
            </li>
          ))}
        </ul>
      ) : (
        <SkeletonBooks count={COUNT} className="book-shelf" label="Loading recommendations" />
      )}
    </section>
  );
}

function AllowanceNote({ allowance }: { allowance: Allowance }) {
  return (
    <p className="next-books__note">
      {allowance.left > 0 ? (
        freeLeft(allowance)
      ) : (
        <>
          You have read your free summaries. <Link to={plansFor(here())}>Upgrade to read without limits</Link>
        </>
      )}
    </p>
  );
}
