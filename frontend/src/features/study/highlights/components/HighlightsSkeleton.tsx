import { SkeletonText } from '@/ui/Skeleton';

/** The page while the highlights are read: the filters, and three highlights. */
export function HighlightsSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading your highlights</span>
      <div aria-hidden="true">
        <div className="highlights__filters">
          <span className="skeleton highlights__field-skeleton" />
          <span className="skeleton highlights__field-skeleton" />
        </div>
        <div className="highlights__count">
          <SkeletonText width={12} />
        </div>
        {[70, 45, 60].map((width) => (
          <div key={width} className="highlights__source">
            <div className="highlights__source-head">
              <span className="skeleton highlights__tile" />
              <div className="highlights__source-text">
                <SkeletonText width={width} />
                <SkeletonText width={width / 2} />
              </div>
            </div>
            <div className="highlights__list">
              <div className="highlight-entry">
                <SkeletonText />
                <SkeletonText width={width} />
              </div>
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
