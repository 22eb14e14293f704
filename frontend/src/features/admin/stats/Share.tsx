/** A share as a bar, hidden from screen readers: the number is beside it. */
export function Share({ of: share, tone = 'main' }: { of: number; tone?: 'main' | 'second' }) {
  return (
    <span className="share" aria-hidden="true">
      <span
        className={tone === 'second' ? 'share__fill share__fill--second' : 'share__fill'}
        style={{ transform: `scaleX(${Math.min(1, Math.max(0, share))})` }}
      />
    </span>
  );
}
