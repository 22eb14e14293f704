// Client-side sorting of lists that are completely loaded.
import { onFirstUse } from '@/lib/onFirstUse';
import type { Sort } from '@/ui/records/DataTable';

const compare = onFirstUse(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare);

/** Rows sorted by one of their values; the sort is stable. */
export function sorted<Row>(rows: readonly Row[], { by, descending }: Sort, valueOf: (row: Row, by: string) => string | number | null): Row[] {
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: valueOf(row, by) }))
    .sort(({ value: a }, { value: b }) => sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare()(String(a ?? ''), String(b ?? ''))))
    .map(({ row }) => row);
}
