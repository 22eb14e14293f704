const PATH = 'm12 2.6 2.9 6 6.6.9-4.8 4.6 1.2 6.6L12 17.5l-5.9 3.2 1.2-6.6-4.8-4.6 6.6-.9 2.9-6Z';

export const Star = ({ full = true }: { full?: boolean }) => (
  <svg className={full ? 'stars__icon' : 'stars__icon stars__icon--empty'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATH} />
  </svg>
);

/** An average rating: one star and the number. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span className="stars tabular">
      <Star />
      <span aria-hidden="true">{rating.toFixed(1)}</span>
      <span className="visually-hidden">{`Rated ${rating.toFixed(1)} out of 5`}</span>
    </span>
  );
}
