import { SkeletonText } from '@/ui/Skeleton';

/** The skeleton of a list; `label` is announced once. */
export function RowsSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      <ul className="inbox" aria-hidden="true">
        {[62, 48, 71, 55, 66, 44].map((width) => (
          <li key={width} className="inbox__item inbox__item--empty">
            <SkeletonText width={width} />
          </li>
        ))}
      </ul>
    </div>
  );
}
