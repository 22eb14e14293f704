import type { ReactNode } from 'react';

/** A circle of this many units around its own centre makes dashes easy to count. */
const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;

interface Props {
  /** 0 to 1. */
  share: number;
  /** The stroke, in the ring's own 100 units. */
  width?: number;
  className?: string;
  /** What stands inside. */
  children?: ReactNode;
}

/** A fraction as an arc. Decorative: it is not read out. */
export function Ring({ share, width = 8, className, children }: Props) {
  const filled = Math.min(1, Math.max(0, share)) * ROUND;
  return (
    <div className={['ring', className].filter(Boolean).join(' ')}>
      <svg className="ring__svg" viewBox="0 0 100 100" aria-hidden="true" focusable="false">
        <circle className="ring__track" cx="50" cy="50" r={RADIUS} strokeWidth={width} />
        {filled > 0 ? (
          <circle
            className="ring__arc"
            cx="50"
            cy="50"
            r={RADIUS}
            strokeWidth={width}
            strokeDasharray={`${filled} ${ROUND}`}
            transform="rotate(-90 50 50)"
            style={{ ['--filled' as string]: filled }}
          />
        ) : null}
      </svg>
      <div className="ring__inside">{children}</div>
    </div>
  );
}
