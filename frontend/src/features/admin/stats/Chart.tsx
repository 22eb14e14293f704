import { Suspense, lazy, useId } from 'react';
import { CsvButton } from '@/features/admin/components/CsvButton';
import type { ChartProps } from '@/features/admin/stats/chart';

const Plot = lazy(() => import(/* webpackChunkName: "admin-charts" */ '@/features/admin/stats/Plot'));

/** A chart with title and legend, and the same data as a table and a CSV file. */
export function Chart(props: ChartProps) {
  const { title, note, series, empty = '' } = props;
  const id = useId();
  return (
    <section className="chart" aria-labelledby={id}>
      <div className="chart__head">
        <h2 className="chart__title" id={id}>
          {title}
        </h2>
        <ul className="chart__names">
          {series.map(({ id: key, label, tone, figure }) => (
            <li key={key} className="chart__name">
              <span className={`plot__mark plot__mark--${tone}`} aria-hidden="true" />
              {label}
              {figure === undefined ? null : <b className="chart__figure">{figure}</b>}
            </li>
          ))}
        </ul>
      </div>
      {note === undefined ? null : <p className="admin__note">{note}</p>}
      {series.length === 0 ? <p className="admin__note chart__empty">{empty}</p> : null}
      {series.length > 0 ? <Figure {...props} /> : null}
    </section>
  );
}

function Figure(props: ChartProps) {
  const { title, at, series, format, file, raw = String } = props;
  const rows = at.map((label, index) => ({ label, values: series.map(({ values }) => values[index] ?? null) }));
  return (
    <>
      <div className="chart__plot">
        <Suspense fallback={null}>
          <Plot {...props} />
        </Suspense>
      </div>
      <div className="chart__foot">
        <details className="chart__details">
          <summary>Table</summary>
          {/* A scrollable region must be focusable, so that the keyboard can scroll it. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className="chart__table" role="region" aria-label={`${title}, as a table`} tabIndex={0}>
            <table className="data-table">
              <caption className="visually-hidden">{title}</caption>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  {series.map(({ id: key, label }) => (
                    <th key={key} scope="col" className="data-table__cell--end">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ label, values }, place) => (
                  <tr key={`${label} ${place}`}>
                    <th scope="row" className="chart__when">
                      {label}
                    </th>
                    {values.map((value, index) => (
                      <td key={series[index]?.id} className="data-table__cell--end">
                        {value === null ? '–' : format(value)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
        <CsvButton
          file={file}
          about={title}
          rows={() => [
            ['When', ...series.map(({ label }) => label)],
            ...rows.map(({ label, values }) => [label, ...values.map((value) => (value === null ? '' : raw(value)))]),
          ]}
        />
      </div>
    </>
  );
}
