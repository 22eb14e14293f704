import { SkeletonText } from '@/ui/Skeleton';

/** The skeleton of the title page and the first lines. */
export function ReaderSkeleton() {
  return (
    <div className="book" role="status">
      <span className="visually-hidden">Loading the summary</span>
      <div className="book-intro" aria-hidden="true">
        <div className="book-intro__cover">
          <span className="skeleton skeleton--cover" />
        </div>
        <div className="book-intro__text">
          <div className="book-intro__title">
            <SkeletonText width={70} />
          </div>
          <SkeletonText width={35} />
          <div className="book-intro__description">
            {[96, 100, 92, 60].map((width) => (
              <SkeletonText key={width} width={width} />
            ))}
          </div>
        </div>
      </div>
      <div className="book-preview" aria-hidden="true">
        {[98, 100, 94, 99, 91, 97, 45].map((width) => (
          <SkeletonText key={width} width={width} />
        ))}
      </div>
    </div>
  );
}
