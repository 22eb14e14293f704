// The form of idea links: fields, values and request bodies.
import { KINDS, STATES } from '@/features/admin/content/ideaLinks/queries';
import type { IdeaLink, Proposal } from '@/features/admin/content/ideaLinks/queries';
import { plural } from '@/lib/format';
import type { Loaded } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

/** The longest note, in characters. */
export const NOTE_MAX = 300;

export const LINK_FIELDS: readonly FieldDef[] = [
  { id: 'fromBookId', label: 'First book', type: 'text', required: true, half: true },
  { id: 'fromIdea', label: 'First idea', type: 'normal-select', required: true, half: true },
  {
    id: 'kind',
    label: 'Kind',
    type: 'normal-select',
    required: true,
    options: KINDS,
    helpText: 'What the first idea does to the second one. “Builds on” means that the first takes the second further.',
  },
  { id: 'toBookId', label: 'Second book', type: 'text', required: true, half: true },
  { id: 'toIdea', label: 'Second idea', type: 'normal-select', required: true, half: true },
  { id: 'note', label: 'Note', type: 'textarea', rows: 3 },
  {
    id: 'state',
    label: 'Status',
    type: 'normal-select',
    required: true,
    options: STATES,
    helpText: 'Readers see published links. A dismissed pair is not proposed again.',
  },
];
export const NEW_LINK: Values = { fromBookId: '', fromIdea: '', kind: '', toBookId: '', toIdea: '', note: '', state: 'draft' };

export const loadedLink = ({ from, to, kind, note, state, version, updatedBy }: IdeaLink): Loaded => ({
  values: { fromBookId: from.subid, fromIdea: from.idea, kind, toBookId: to.subid, toIdea: to.idea, note, state },
  version,
  by: updatedBy,
});

export function linkForm(values: Values, version: number | null) {
  const kind = KINDS.find(({ value }) => value === textOf(values, 'kind'))?.value;
  const state = STATES.find(({ value }) => value === textOf(values, 'state'))?.value;
  return {
    fromBookId: textOf(values, 'fromBookId').trim(),
    fromIdea: textOf(values, 'fromIdea'),
    toBookId: textOf(values, 'toBookId').trim(),
    toIdea: textOf(values, 'toIdea'),
    note: textOf(values, 'note').trim(),
    ...(kind && { kind }),
    ...(state && { state }),
    ...(version !== null && { version }),
  };
}

/** The link that keeps a pair from being proposed again. Its kind says nothing. */
export const dismissalOf = ({ from, to }: Proposal) => ({
  fromBookId: from.bookId,
  fromIdea: from.idea,
  toBookId: to.bookId,
  toIdea: to.idea,
  kind: 'agrees' as const,
  note: '',
  state: 'dismissed' as const,
});

/** The form with a proposal filled in, as a query. */
export const proposedPair = ({ from, to }: Proposal) => ({ from: from.subid, idea: from.idea, to: to.subid, toIdea: to.idea });

/** The pair that the URL of the form names. */
export const pairInUrl = (search: URLSearchParams): Values => ({
  fromBookId: search.get('from') ?? '',
  fromIdea: search.get('idea') ?? '',
  toBookId: search.get('to') ?? '',
  toIdea: search.get('toIdea') ?? '',
});

/** How much of the note may still be typed: '288 characters left'. */
export function noteRoom(note: string): string {
  // As the server counts: on one line, and by code points.
  const left = NOTE_MAX - Array.from(note.trim().replace(/\s+/g, ' ')).length;
  return left < 0 ? `${plural(-left, 'character')} too many` : `${plural(left, 'character')} left`;
}
