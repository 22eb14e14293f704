/** The skeleton of a line of text. Width in percent. */
export const SkeletonText = ({ width = 100 }: { width?: number }) => (
  <span className="skeleton skeleton--text" style={{ width: `${width}%` }} aria-hidden="true" />
);

/** The skeleton of a shelf or grid of covers; `label` is announced once. */
export function SkeletonBooks({ count, className = 'book-grid', label = 'Loading' }: { count: number; className?: string; label?: string }) {
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      <div className={className} aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          <div key={i}>
            <span className="skeleton skeleton--cover" />
            <div className="book-card__text">
              <SkeletonText width={85} />
              <SkeletonText width={55} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
