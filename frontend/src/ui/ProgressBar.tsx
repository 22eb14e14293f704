interface Props {
  /** Names what progresses. */
  label: string;
  value: number;
  max: number;
  /** Announced instead of a percentage. */
  text?: string;
  /** The color while incomplete; a complete bar always has the success color. */
  tone?: 'success' | 'info';
}

export function ProgressBar({ label, value, max, text, tone = 'success' }: Props) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      className={tone === 'info' && share < 1 ? 'progress-bar progress-bar--info' : 'progress-bar'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
    >
      <div className="progress-bar__fill" style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}
