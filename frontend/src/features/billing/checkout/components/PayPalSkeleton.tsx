import { SkeletonText } from '@/ui/Skeleton';

/** While PayPal's buttons are loading. */
export const PayPalSkeleton = () => (
  <div role="status">
    <span className="visually-hidden">Loading PayPal</span>
    <SkeletonText width={90} />
  </div>
);
