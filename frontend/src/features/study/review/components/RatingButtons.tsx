import { intervalName } from '@/features/study/review/cards';
import type { CardSchedule, Rating } from '@/shared/study/records';

export const RATINGS: readonly { rating: Rating; name: string }[] = [
  { rating: 1, name: 'Again' },
  { rating: 2, name: 'Hard' },
  { rating: 3, name: 'Good' },
  { rating: 4, name: 'Easy' },
];

interface Props {
  next: CardSchedule['next'];
  onRate: (rating: Rating) => void;
}

/** The four ratings, each with the time until the card comes again. Keys: 1 to 4. */
export function RatingButtons({ next, onRate }: Props) {
  return (
    <div className="review__ratings" role="group" aria-label="How well did you know it?">
      {RATINGS.map(({ rating, name }) => (
        <button
          key={rating}
          type="button"
          className={`review__rating review__rating--${name.toLowerCase()}`}
          aria-keyshortcuts={String(rating)}
          onClick={() => onRate(rating)}
        >
          <span className="review__rating-name">{name}</span> <span className="review__rating-interval tabular">{intervalName(next[rating - 1] ?? 0)}</span>
        </button>
      ))}
    </div>
  );
}
