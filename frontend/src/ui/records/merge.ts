// Two editors of one record: what each of them changed, and where they differ (admin.two-editors).
import { sameValue } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

export interface Merge {
  /** What one of the two changed, together. Where both did, it has this editor's value. */
  values: Values;
  /** The fields that both changed, each to another value: a person chooses. */
  clashes: readonly string[];
}

/** Merges what is typed with what was saved meanwhile; `base` is what both began with. */
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
