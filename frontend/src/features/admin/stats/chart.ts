// What a chart shows.

/** A colour of stats.css: `main` for what the chart is about, `before` for the period before, numbers for the parts of a whole. */
export type Tone = 'main' | 'second' | 'before' | '1' | '2' | '3' | '4' | '5' | '6';

export interface Series {
  id: string;
  label: string;
  tone: Tone;
  kind?: 'line' | 'bar';
  /** One for each point; null where there is none. */
  values: readonly (number | null)[];
  /** The figure beside its name: the total, or the last value. */
  figure?: string;
}

export interface ChartProps {
  title: string;
  /** One sentence below the title, where the figure needs it. */
  note?: string;
  /** The points, as a person reads them: days, months. */
  at: readonly string[];
  series: readonly Series[];
  /** A value as the table shows it. */
  format: (value: number) => string;
  /** A value as the axis shows it, where that is shorter. */
  axis?: (value: number) => string;
  /** Bars stand on each other. */
  stacked?: boolean;
  /** The name of the CSV file, without its ending. */
  file: string;
  /** Instead of a chart without series. */
  empty?: string;
  /** A value as the CSV file has it: without separators. */
  raw?: (value: number) => string;
}
