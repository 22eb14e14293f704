import { SkeletonText } from '@/ui/Skeleton';

/** The list while the cards are read. */
export function CardsSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading your cards</span>
      <div aria-hidden="true">
        <span className="skeleton review-cards__field-skeleton" />
        <div className="review-cards__count">
          <SkeletonText width={12} />
        </div>
        <div className="review-cards__list">
          {[70, 45, 60].map((width) => (
            <div key={width} className="card-entry">
              <SkeletonText width={width} />
              <SkeletonText width={width / 2} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
