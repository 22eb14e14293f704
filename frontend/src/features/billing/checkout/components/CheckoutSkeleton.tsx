import { SkeletonText } from '@/ui/Skeleton';

export function CheckoutSkeleton() {
  return (
    <div role="status">
      <h1 className="page__title">Checkout</h1>
      <span className="visually-hidden">Loading the checkout</span>
      <div className="checkout" aria-hidden="true">
        <div className="checkout__main">
          <span className="skeleton checkout__skeleton" />
          <span className="skeleton checkout__skeleton" />
        </div>
        <div className="checkout__side">
          <div className="checkout__summary">
            <SkeletonText width={90} />
            <SkeletonText width={70} />
            <SkeletonText width={80} />
          </div>
        </div>
      </div>
    </div>
  );
}
