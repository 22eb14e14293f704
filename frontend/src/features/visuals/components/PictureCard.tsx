import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BookCard } from '@/api/types';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { PlanRequired } from '@/ui/PlanRequired';

interface Props {
  book: BookCard;
  image: string;
  /** How many key ideas it shows. */
  count: number;
  eager: boolean;
  /** A tall sheet, of which the beginning is shown. */
  poster?: boolean;
  /** Its key ideas require a plan, which the viewer does not have. */
  locked: boolean;
  children?: ReactNode;
}

/** A book by its picture. The server writes the same markup. */
export function PictureCard({ book, image, count, eager, poster = false, locked, children }: Props) {
  const picture = <img className="picture-card__image" src={image} alt="" width="1200" height={poster ? '1600' : '1200'} loading={eager ? 'eager' : 'lazy'} decoding="async" />;
  return (
    <article className="picture-card">
      {poster ? <div className="picture-card__poster">{picture}</div> : picture}
      <div className="picture-card__text">
        <h2 className="picture-card__title">
          <Link className="picture-card__link" to={paths.visualsOf(book.subid)}>
            {book.title}
          </Link>
        </h2>
        <p className="picture-card__author">{book.author}</p>
        <p className="picture-card__meta">
          {book.free ? <span className="badge badge--free">Free</span> : null}
          <span>{plural(count, 'key idea')}</span>
          {locked ? <PlanRequired /> : null}
        </p>
        {children}
      </div>
    </article>
  );
}
