// The data of a chart.

/** A color from stats.css: `main` for the chart's subject, `before` for the previous period, numbers for the parts of a whole. */
export type Tone = 'main' | 'second' | 'before' | '1' | '2' | '3' | '4' | '5' | '6';

export interface Series {
  id: string;
  label: string;
  tone: Tone;
  kind?: 'line' | 'bar';
  /** One per point; null where there is no value. */
  values: readonly (number | null)[];
  /** The figure beside the name: the total, or the last value. */
  figure?: string;
}

export interface ChartProps {
  title: string;
  /** One explanatory sentence below the title. */
  note?: string;
  /** The labels of the points: days or months. */
  at: readonly string[];
  series: readonly Series[];
  /** Formats a value for the table. */
  format: (value: number) => string;
  /** Formats a value for the axis; default: `format`. */
  axis?: (value: number) => string;
  /** Bars are stacked. */
  stacked?: boolean;
  /** The name of the CSV file, without the extension. */
  file: string;
  /** Shown instead of a chart without series. */
  empty?: string;
  /** Formats a value for the CSV file: without separators. */
  raw?: (value: number) => string;
}
