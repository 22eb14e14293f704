import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { BookCard } from '@/api/types';
import { OfferDialog } from '@/shared/payment/OfferButton';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { PlanRequired } from '@/ui/PlanRequired';

interface Props {
  book: BookCard;
  image: string;
  /** The number of key ideas. */
  count: number;
  eager: boolean;
  /** A tall sheet, of which only the top is shown. */
  poster?: boolean;
  /** A sentence about what a plan unlocks here, if the viewer needs one; null: nothing is locked. */
  offer: string | null;
  children?: ReactNode;
}

/** A book shown by its picture. The server renders the same markup. */
export function PictureCard({ book, image, count, eager, poster = false, offer, children }: Props) {
  // A press on a locked card shows the offer in a dialog.
  const [open, setOpen] = useState(false);
  const picture = (
    <img
      className="picture-card__image"
      src={image}
      alt=""
      width="1200"
      height={poster ? '1600' : '1200'}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
    />
  );
  return (
    <article className="picture-card">
      {poster ? <div className="picture-card__poster">{picture}</div> : picture}
      <div className="picture-card__text">
        <h2 className="picture-card__title">
          {offer === null ? (
            <Link className="picture-card__link" to={paths.visualsOf(book.subid)}>
              {book.title}
            </Link>
          ) : (
            <button type="button" className="picture-card__link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
              {book.title}
            </button>
          )}
        </h2>
        <p className="picture-card__author">{book.author}</p>
        <p className="picture-card__meta">
          {book.free ? <span className="badge badge--free">Free</span> : null}
          <span>{plural(count, 'picture')}</span>
          {offer === null ? null : <PlanRequired />}
        </p>
        {children}
      </div>
      {offer === null ? null : <OfferDialog open={open} onClose={() => setOpen(false)} text={offer} />}
    </article>
  );
}
