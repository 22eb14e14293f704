// The forms of authors and tags.
import type { Author, Tag } from '@/features/admin/content/names/queries';
import type { Loaded } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

const at = (version: number | null) => (version === null ? {} : { version });

export const AUTHOR_FIELDS: readonly FieldDef[] = [
  { id: 'name', label: 'Name', type: 'text', required: true },
  { id: 'sortName', label: 'Name in the directory', type: 'text', helpText: 'If it is not sorted by its last word: Du Bois, W. E. B.' },
  { id: 'description', label: 'Description', type: 'textarea', rows: 5, helpText: 'Who the author is, as shown on the pages of their books.' },
];
export const NEW_AUTHOR: Values = { name: '', sortName: '', description: '' };
export const loadedAuthor = ({ name, sortName, description, version, updatedBy }: Author): Loaded => ({
  values: { name, sortName: sortName ?? '', description },
  version,
  by: updatedBy,
});
export const authorForm = (values: Values, version: number | null) => ({
  name: textOf(values, 'name').trim(),
  sortName: textOf(values, 'sortName').trim(),
  description: textOf(values, 'description').trim(),
  ...at(version),
});

export const TAG_FIELDS: readonly FieldDef[] = [
  { id: 'name', label: 'Name', type: 'text', required: true, helpText: 'In lowercase. Its address changes with it.' },
];
export const loadedTag = ({ name, version, updatedBy }: Tag): Loaded => ({ values: { name }, version, by: updatedBy });
export const tagForm = (values: Values, version: number | null) => ({ name: textOf(values, 'name').trim(), ...at(version) });
