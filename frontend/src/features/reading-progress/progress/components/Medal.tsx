/** Distance from the center to the ends of the segments, in units of the drawing. */
const OUTER = 36;
/** Half the gap between two segments, in units. */
const GAP = 2.6;

const at = (radius: number, angle: number) => `${(50 + radius * Math.sin(angle)).toFixed(2)} ${(50 - radius * Math.cos(angle)).toFixed(2)}`;

/** The SVG path of one segment of an orange slice, its corners rounded by the stroke. */
function segment(index: number, count: number): string {
  const turn = (2 * Math.PI) / count;
  const middle = (index + 0.5) * turn;
  // The gap between two segments has the same width from the center to the rim.
  const tip = GAP / Math.sin(turn / 2);
  const half = turn / 2 - Math.asin(GAP / OUTER);
  return `M${at(tip, middle)} L${at(OUTER, middle - half)} A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, middle + half)} Z`;
}

/** An award as an orange slice: the higher the award, the more segments. An award not yet achieved is an outline. */
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
