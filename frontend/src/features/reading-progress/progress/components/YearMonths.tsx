import { useState } from 'react';
import { chartUnits, monthName, shortTime, timeText } from '@/features/reading-progress/progress/year';
import type { ChartUnit, YearOfReading } from '@/features/reading-progress/progress/year';
import { formatNumber } from '@/lib/format';
import { Segmented } from '@/ui/Segmented';

const LABELS: Record<ChartUnit, string> = { minutes: 'Time', summaries: 'Summaries' };

/** A bar for each month, of the time or of the summaries: rows on phones, columns where there is room. A table says both to screen readers. */
export function YearMonths({ months }: Pick<YearOfReading, 'months'>) {
  const units = chartUnits(months);
  const [chosen, setChosen] = useState<ChartUnit | null>(null);
  const unit = units.find((one) => one === chosen) ?? units[0];
  if (unit === undefined) return null;
  const most = Math.max(...months.map((month) => month[unit]));
  return (
    <section className="year__months" aria-labelledby="months">
      <div className="section__head">
        <h2 className="section__title" id="months">
          Month by month
        </h2>
        {units.length > 1 ? (
          <Segmented
            legend="The bars show"
            name="year-unit"
            options={(['minutes', 'summaries'] as const).map((value) => ({ value, label: LABELS[value] }))}
            value={unit}
            onChange={setChosen}
          />
        ) : null}
      </div>
      <ol className="year-chart" aria-hidden="true">
        {months.map((month) => {
          const value = month[unit];
          const name = monthName(month.month);
          return (
            <li key={month.month} className="year-chart__month">
              <span className="year-chart__name">{name.slice(0, 3)}</span>
              <span className="year-chart__track">
                <span className={`year-chart__bar${value === most ? ' year-chart__bar--most' : ''}`} style={{ ['--share' as string]: value / most }} />
                <span className="year-chart__value">{value === 0 ? null : unit === 'minutes' ? shortTime(value) : formatNumber(value)}</span>
              </span>
            </li>
          );
        })}
      </ol>
      <div className="visually-hidden">
        <table>
          <caption>Month by month</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {units.map((one) => (
                <th key={one} scope="col">
                  {LABELS[one]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.month}>
                <th scope="row">{monthName(month.month)}</th>
                {units.map((one) => (
                  <td key={one}>{one === 'minutes' ? timeText(month.minutes) : formatNumber(month.summaries)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
