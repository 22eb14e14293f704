// Renders a chart. The only module that imports the charting library, so that only the pages with charts load it.
import { Bar, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from 'recharts';
import type { ChartProps } from '@/features/admin/stats/chart';

type Props = Pick<ChartProps, 'title' | 'at' | 'series' | 'format' | 'axis' | 'stacked'>;

const TICK = { fill: 'var(--ink-faint)', fontSize: 12, fontFamily: 'var(--sans)' };
const HEIGHT = 216;

/** Lines or bars over time, with the previous period as a paler line. The arrow keys move the tooltip. */
export default function Plot({ title, at, series, format, axis = format, stacked = false }: Props) {
  const rows = at.map((label, index) => ({ label, ...Object.fromEntries(series.map(({ id, values }) => [id, values[index] ?? null])) }));
  return (
    <ComposedChart
      className="plot"
      data={rows}
      responsive
      height={HEIGHT}
      style={{ width: '100%', height: HEIGHT }}
      margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      title={title}
    >
      <CartesianGrid vertical={false} stroke="var(--hairline)" />
      <XAxis dataKey="label" axisLine={false} tickLine={false} tick={TICK} minTickGap={48} interval="preserveStartEnd" tickMargin={8} />
      <YAxis axisLine={false} tickLine={false} tick={TICK} width="auto" tickFormatter={axis} tickCount={4} allowDecimals={false} />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--edge)', fill: 'var(--paper-sunk)', fillOpacity: 0.6 }}
        content={({ active, label }) => {
          const index = at.indexOf(String(label));
          return active && index >= 0 ? <Reading at={at[index] ?? ''} index={index} series={series} format={format} /> : null;
        }}
      />
      {series.map(({ id, label, tone, kind = 'line' }) =>
        kind === 'bar' ? (
          <Bar
            key={id}
            dataKey={id}
            name={label}
            fill={`var(--chart-${tone})`}
            isAnimationActive={false}
            maxBarSize={28}
            {...(stacked && { stackId: 'all' })}
          />
        ) : (
          <Line
            key={id}
            dataKey={id}
            name={label}
            type="linear"
            stroke={`var(--chart-${tone})`}
            strokeWidth={tone === 'before' ? 1.5 : 2}
            dot={at.length === 1}
            activeDot={{ r: 3.5, strokeWidth: 0 }}
            isAnimationActive={false}
            {...(tone === 'before' && { strokeDasharray: '4 3' })}
          />
        ),
      )}
    </ComposedChart>
  );
}

function Reading({ at, index, series, format }: { at: string; index: number } & Pick<Props, 'series' | 'format'>) {
  return (
    <div className="plot__reading">
      <p className="plot__at">{at}</p>
      <dl>
        {series.map(({ id, label, tone, values }) => {
          const value = values[index];
          return (
            <div key={id} className="plot__line">
              <dt>
                <span className={`plot__mark plot__mark--${tone}`} aria-hidden="true" />
                {label}
              </dt>
              <dd>{value === null || value === undefined ? '–' : format(value)}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
