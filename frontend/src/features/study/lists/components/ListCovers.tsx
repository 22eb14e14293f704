import { hueClass } from '@/lib/hue';
import { BookCover } from '@/ui/BookCard';

/** How many covers an entry has room for. */
const SHOWN = 4;
/** How wide a small cover is: the width of `.small-cover`. */
const WIDTH = '2.75rem';

interface CoverProps {
  book: { title: string; image: string | null; hue?: number | null };
}

/** A small cover; the first letter of the title where there is no picture. */
export function SmallCover({ book: { title, image, hue = null } }: CoverProps) {
  return (
    <span className={`small-cover book-card__cover${hue === null ? '' : ` ${hueClass(hue)}`}`} aria-hidden="true">
      {image === null ? (
        <span className="small-cover__letter">{Array.from(title.trim())[0]?.toUpperCase()}</span>
      ) : (
        <BookCover book={{ image }} sizes={WIDTH} />
      )}
    </span>
  );
}

/** The covers of the first books of a list, each over the one before. */
export function ListCovers({ books }: { books: readonly (CoverProps['book'] & { key: number })[] }) {
  return (
    <div className="list-covers" aria-hidden="true">
      {Array.from({ length: SHOWN }, (_, at) => {
        const book = books[at];
        return book ? <SmallCover key={book.key} book={book} /> : <span key={`empty ${at}`} className="small-cover small-cover--empty" />;
      })}
    </div>
  );
}
