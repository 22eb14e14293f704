import { hueOf } from '@/features/challenge/quizzes/quiz';
import type { QuizResult } from '@/features/challenge/quizzes/quiz';
import { hueClass } from '@/lib/hue';

/** The shares as bars, each with its name and value as text. */
export function ShareBars({ result, label }: { result: QuizResult; label: string }) {
  return (
    <ul className="shares" aria-label={label}>
      {result.totals.map(({ type, count, questions, percent }) => (
        <li key={type} className={`shares__row ${hueClass(hueOf(type))}${result.leaders.includes(type) ? ' shares__row--leads' : ''}`}>
          <span className="shares__name">{type}</span>
          <span className="shares__figure tabular">
            {`${percent}%`}
            <span className="visually-hidden">{`: True to ${count} of ${questions}${result.leaders.includes(type) ? ', the most' : ''}`}</span>
          </span>
          <span className="shares__track" aria-hidden="true">
            <span className="shares__bar" style={{ transform: `scaleX(${percent / 100})` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const CENTRE = 100;
const OUTER = 92;
/** Half the gap between two segments, in units of the drawing. */
const GAP = 2.2;

/** The SVG path of one segment, cut off at `radius`. */
function segment(from: number, to: number, radius: number): string {
  const middle = (from + to) / 2;
  // The segment is moved outwards to make room for the gap.
  const [x, y] = [CENTRE + Math.cos(middle) * GAP * 2, CENTRE + Math.sin(middle) * GAP * 2];
  const inset = GAP / Math.max(radius, 1);
  const point = (angle: number) => `${(x + Math.cos(angle) * radius).toFixed(2)} ${(y + Math.sin(angle) * radius).toFixed(2)}`;
  return `M${x.toFixed(2)} ${y.toFixed(2)}L${point(from + inset)}A${radius.toFixed(2)} ${radius.toFixed(2)} 0 0 1 ${point(to - inset)}Z`;
}

/** The shares as an orange slice: one segment each, with the share as its area. The bars beside it are the text alternative. */
export function FruitSlice({ result }: { result: QuizResult }) {
  const step = (2 * Math.PI) / Math.max(1, result.totals.length);
  return (
    <svg className="fruit" viewBox="0 0 200 200" aria-hidden="true" focusable="false">
      <circle className="fruit__peel" cx={CENTRE} cy={CENTRE} r="99" />
      <circle className="fruit__pith" cx={CENTRE} cy={CENTRE} r="96" />
      {result.totals.map(({ type, percent }, i) => {
        const from = i * step - Math.PI / 2;
        const radius = Math.sqrt(percent / 100) * (OUTER - 6);
        return (
          <g key={type} className={hueClass(hueOf(type))}>
            <path className="fruit__empty" d={segment(from, from + step, OUTER - 6)} />
            {percent > 0 ? <path className="fruit__flesh" d={segment(from, from + step, radius)} /> : null}
          </g>
        );
      })}
    </svg>
  );
}
