import { SkeletonText } from '@/ui/Skeleton';

/** The skeleton of a list of posts or episodes. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      <div className="episode-list" aria-hidden="true">
        {[0, 1, 2].map((i) => (
          <div key={i} className="episode-card">
            <span className="skeleton episode-card__image" />
            <div className="episode-card__text">
              <SkeletonText width={55} />
              <SkeletonText width={95} />
              <SkeletonText width={80} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
