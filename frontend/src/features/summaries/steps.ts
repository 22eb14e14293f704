// The steps of a summary in progress.
import type { Summary } from '@/features/summaries/queries';

export interface Step {
  state: string;
  /** The text while the step runs: 'Fetching the page'. */
  text: string;
}

const QUEUED: Step = { state: 'queued', text: 'Waiting for its turn' };
const FETCHING: Step = { state: 'fetching', text: 'Fetching the page' };
const SUMMARISING: Step = { state: 'summarising', text: 'Weighing every sentence for the key ideas' };
const READING: Partial<Record<string, string>> = { link: 'Reading the page', file: 'Reading the file', text: 'Reading the text' };

/** The steps for a kind of source, in order. */
export const stepsOf = ({ kind }: Pick<Summary['source'], 'kind'>): readonly Step[] => [
  QUEUED,
  ...(kind === 'link' ? [FETCHING] : []),
  { state: 'reading', text: READING[kind] ?? 'Reading the text' },
  SUMMARISING,
];

/** The current step of a summary in progress. */
export const stepNow = ({ source, state }: Pick<Summary, 'source' | 'state'>): Step => stepsOf(source).find((step) => step.state === state) ?? QUEUED;
