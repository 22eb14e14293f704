// The order of a table after a press on one of its headers.
import type { Sort } from '@/ui/records/DataTable';

/** The sort after a press on the header of `by`: ascending first, but fields with Date or Count in their name descending (admin.sort-orders). */
export const sortOn = (now: Sort, by: string): Sort => (now.by === by ? { by, descending: !now.descending } : { by, descending: /Date|Count/.test(by) });
