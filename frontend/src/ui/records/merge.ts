// Three-way merge of one record that two editors changed (admin.two-editors).
import { sameValue } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

export interface Merge {
  /** The changes of both editors. Where both changed a field, this editor's value. */
  values: Values;
  /** The fields that both changed to different values: the editor has to choose. */
  clashes: readonly string[];
}

/** Merges the typed values (`mine`) with the values saved meanwhile (`theirs`); `base` is the version that both started from. */
export function merge(fields: readonly FieldDef[], base: Values, mine: Values, theirs: Values): Merge {
  const values: Record<string, Values[string]> = { ...theirs };
  const clashes: string[] = [];
  for (const { id } of fields) {
    const value = mine[id];
    if (value === undefined || sameValue(value, base[id])) continue;
    values[id] = value;
    if (!sameValue(theirs[id], base[id]) && !sameValue(theirs[id], value)) clashes.push(id);
  }
  return { values, clashes };
}
