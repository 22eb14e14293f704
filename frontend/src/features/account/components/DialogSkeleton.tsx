import { SkeletonText } from '@/ui/Skeleton';

/** What a dialog shows until its part of the app is there. */
export const DialogSkeleton = () => (
  <div role="status">
    <span className="visually-hidden">Loading</span>
    <SkeletonText width={80} />
    <SkeletonText width={60} />
  </div>
);
