/** Units from the centre to the pith, and to the tips of the segments. */
const OUTER = 36;
const INNER = 7;
/** Half of the pith between two segments, in units. */
const GAP = 1.6;

const at = (radius: number, angle: number) => `${(50 + radius * Math.sin(angle)).toFixed(2)} ${(50 - radius * Math.cos(angle)).toFixed(2)}`;

/** One segment of a cut orange, its corners rounded by the stroke. */
function segment(index: number, count: number): string {
  const turn = (2 * Math.PI) / count;
  const middle = (index + 0.5) * turn;
  // The gap has the same width along the whole segment.
  const edge = (radius: number) => turn / 2 - Math.asin(Math.min(1, GAP / radius));
  const inner = Math.max(INNER, GAP / Math.sin(turn / 2) + 1);
  return `M${at(inner, middle)} L${at(OUTER, middle - edge(OUTER))} A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, middle + edge(OUTER))} Z`;
}

/** An award as a cut orange: the higher, the more segments. What is not achieved yet is an outline. */
export function Medal({ segments }: { segments: number }) {
  return (
    <svg className="medal" viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      <circle className="medal__peel" cx="50" cy="50" r="46" />
      <circle className="medal__pith" cx="50" cy="50" r="42" />
      {Array.from({ length: segments }, (_, i) => (
        <path key={i} className="medal__segment" d={segment(i, segments)} />
      ))}
    </svg>
  );
}
