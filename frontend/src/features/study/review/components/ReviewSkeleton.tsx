import { Link } from 'react-router';
import { ROUTES, paths } from '@/paths';
import { SkeletonText } from '@/ui/Skeleton';

export function ReviewHead() {
  return (
    <div className="review__head">
      <h1 className="review__title">{ROUTES.review.title}</h1>
      <Link className="link link--more" to={paths.reviewCards}>
        All cards
      </Link>
    </div>
  );
}

/** The page while the cards are read. */
export function ReviewSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading your cards</span>
      <div aria-hidden="true">
        <div className="review__progress">
          <SkeletonText width={40} />
          <span className="skeleton review__bar-skeleton" />
        </div>
        <div className="review-card">
          <SkeletonText width={30} />
          <SkeletonText width={90} />
          <SkeletonText width={60} />
        </div>
        <div className="review__actions">
          <span className="skeleton review__button-skeleton" />
        </div>
      </div>
    </div>
  );
}
