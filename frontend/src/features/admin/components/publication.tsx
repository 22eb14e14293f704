// What the forms and lists of books, posts and podcasts share of publication: a draft, a moment, published
// (catalogue.publication-moment, editorial.publication-moment).
import { formatMoment } from '@/lib/format';
import { FieldControl } from '@/ui/records/FieldControl';
import type { CustomControl } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

export interface Publication {
  published: boolean;
  /** When it will be published, in ms since the epoch. */
  publishAt: number | null;
}

type State = 'draft' | 'published' | 'scheduled';

const STATES: readonly { value: State; label: string }[] = [
  { value: 'draft', label: 'Draft' },
  { value: 'published', label: 'Published' },
  { value: 'scheduled', label: 'Scheduled' },
];

export const PUBLICATION_FIELDS: readonly FieldDef[] = [
  { id: 'state', label: 'Status', type: 'normal-select', options: STATES, required: true, half: true, section: 'Publication' },
  { id: 'publishAt', label: 'Published at', type: 'datetime', half: true },
];

export const PUBLICATION_CONTROLS: Readonly<Record<string, CustomControl>> = {
  // Only when publication at a set time is chosen.
  publishAt: ({ field, values, error, onChange }) =>
    textOf(values, 'state') === 'scheduled' ? <FieldControl field={{ ...field, required: true }} values={values} error={error} onChange={onChange} /> : null,
};

const pad = (n: number) => String(n).padStart(2, '0');

/** A time in the format of a `datetime-local` field, in the editor's time zone; '' for null. */
export function localTime(ms: number | null): string {
  if (ms === null) return '';
  const at = new Date(ms);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

const stateOf = ({ published, publishAt }: Publication): State => (published ? 'published' : publishAt === null ? 'draft' : 'scheduled');

export const publicationValues = (row: Publication): Values => ({ state: stateOf(row), publishAt: localTime(row.publishAt) });

/** The part of a request body that says how a record is published. */
export function publicationForm(values: Values): Publication {
  const [state, at] = [textOf(values, 'state'), textOf(values, 'publishAt')];
  return { published: state === 'published', publishAt: state === 'scheduled' && at !== '' ? new Date(at).getTime() : null };
}

/** Draft, published, or from when. */
export function PublicationBadge({ row: { published, publishAt } }: { row: Publication }) {
  return (
    <span className={published ? 'badge badge--free' : 'badge'}>
      {published ? 'Published' : publishAt === null ? 'Draft' : `From ${formatMoment(publishAt)}`}
    </span>
  );
}
