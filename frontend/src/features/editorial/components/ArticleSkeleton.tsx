import { SkeletonText } from '@/ui/Skeleton';

/** The skeleton of an article. */
export function ArticleSkeleton({ label }: { label: string }) {
  return (
    <div className="page post" role="status">
      <span className="visually-hidden">{label}</span>
      <div className="post__head" aria-hidden="true">
        <SkeletonText width={30} />
        <span className="skeleton post__title-skeleton" />
        <SkeletonText width={90} />
        <SkeletonText width={40} />
      </div>
      <div className="post__text" aria-hidden="true">
        {[96, 100, 92, 98, 60, 97, 94, 99, 45].map((width, i) => (
          <SkeletonText key={i} width={width} />
        ))}
      </div>
    </div>
  );
}
