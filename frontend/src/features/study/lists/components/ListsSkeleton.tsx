import { ListCovers } from '@/features/study/lists/components/ListCovers';
import { SkeletonText } from '@/ui/Skeleton';

/** Entries of lists while they are read. */
export function EntriesSkeleton({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      <div className="lists__entries" aria-hidden="true">
        {[45, 60, 35].slice(0, count).map((width) => (
          <div key={width} className="list-entry">
            <ListCovers books={[]} />
            <div className="list-entry__text">
              <SkeletonText width={width} />
              <SkeletonText width={width / 2} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The page of an own list while it is read. */
export const OwnListSkeleton = () => (
  <div role="status">
    <span className="visually-hidden">Loading your list</span>
    <div className="own-list__head" aria-hidden="true">
      <p className="page__title">
        <SkeletonText width={50} />
      </p>
      <SkeletonText width={30} />
    </div>
    <div className="own-list__books" aria-hidden="true">
      {[60, 45, 70, 50].map((width) => (
        <div key={width} className="own-book own-book--waiting">
          <span className="small-cover small-cover--empty" />
          <div className="own-book__text">
            <SkeletonText width={width} />
            <SkeletonText width={width / 2} />
          </div>
        </div>
      ))}
    </div>
  </div>
);
