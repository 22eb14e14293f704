import { SkeletonText } from '@/ui/Skeleton';

/** Shown in a dialog while its chunk is loading. */
export const DialogSkeleton = () => (
  <div role="status">
    <span className="visually-hidden">Loading</span>
    <SkeletonText width={80} />
    <SkeletonText width={60} />
  </div>
);
