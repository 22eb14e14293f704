/** The skeleton of a grid of pictures; `label` is announced once. */
export function PicturesSkeleton({ className, count, label }: { className: string; count: number; label: string }) {
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      <div className={className} aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          <div key={i}>
            <span className="skeleton picture-card__skeleton" />
            <div className="picture-card__text">
              <span className="skeleton skeleton--text" style={{ width: '70%' }} />
              <span className="skeleton skeleton--text" style={{ width: '45%' }} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
