import { changeText } from '@/features/admin/stats/range';

export interface Figure {
  id: string;
  label: string;
  value: number;
  /** The value of the previous period; null: not compared, or unknown. */
  before: number | null;
  format: (value: number) => string;
  /** Which change is an improvement: more (the default), less, or neither. */
  better?: 'more' | 'less' | 'neither';
  /** What is counted. */
  note: string;
}

/** The key figures of a period in a row, each with its change from the previous period. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className="figures" aria-label={label}>
      {figures.map(({ id, label: name, value, before, format, better = 'more', note }) => {
        const change = changeText(value, before);
        const rose = before !== null && value > before;
        const tone =
          change === null || change === 'unchanged' || better === 'neither'
            ? ''
            : rose === (better === 'more')
              ? ' figure__change--better'
              : ' figure__change--worse';
        return (
          <div key={id} className="figure">
            <dt className="figure__label">{name}</dt>
            <dd className="figure__value">{format(value)}</dd>
            <dd className={`figure__change${tone}`}>
              {change}
              {change !== null && before !== null ? <span className="visually-hidden">{` compared with the previous period: ${format(before)}`}</span> : null}
            </dd>
            <dd className="figure__note">{note}</dd>
          </div>
        );
      })}
    </dl>
  );
}
