// What a summary that is under way goes through.
import type { Summary } from '@/features/summaries/queries';

export interface Step {
  state: string;
  /** While it is done: 'Fetching the page'. */
  text: string;
}

const QUEUED: Step = { state: 'queued', text: 'Waiting for its turn' };
const FETCHING: Step = { state: 'fetching', text: 'Fetching the page' };
const SUMMARISING: Step = { state: 'summarising', text: 'Weighing every sentence for the key ideas' };
const READING: Partial<Record<string, string>> = { link: 'Reading the page', file: 'Reading the file', text: 'Reading the text' };

/** The steps of a source's kind, in their order. */
export const stepsOf = ({ kind }: Pick<Summary['source'], 'kind'>): readonly Step[] => [
  QUEUED,
  ...(kind === 'link' ? [FETCHING] : []),
  { state: 'reading', text: READING[kind] ?? 'Reading the text' },
  SUMMARISING,
];

/** What a summary under way does now. */
export const stepNow = ({ source, state }: Pick<Summary, 'source' | 'state'>): Step => stepsOf(source).find((step) => step.state === state) ?? QUEUED;
