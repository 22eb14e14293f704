import type { ReactNode } from 'react';

/** The circle's radius, in units of the drawing. */
const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;

interface Props {
  /** 0 to 1. */
  share: number;
  /** The width of the stroke, in units of the drawing, which is 100 wide. */
  width?: number;
  className?: string;
  /** Content inside the ring. */
  children?: ReactNode;
}

/** A fraction as an arc. Decorative: hidden from screen readers. */
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
